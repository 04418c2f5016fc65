const secret =
  /token|secret|passw(?:or)?d|passphrase|api_?key|access_?key|private_?key|signing_?key|encryption_?key|credential|(?:^|_)(?:pat|pwd|auth|dsn)$/i;
const harmless =
  /^(?:old)?pwd$|^ssh_auth_sock$|_(?:file|path|dir|url|ttl|expiry|name|id|count|length)$|^max_?tokens?$/i;

/** True for the name of a variable, an output or a setting that usually holds a secret: `GITHUB_TOKEN`, `db_password`. */
export function soundsSecret(name: string): boolean {
  return name.length <= 256 && secret.test(name) && !harmless.test(name);
}

import { type Field, homeField, literalField, rewritten, together, withText } from "../shell/fields.ts";
import { azureCopies, azureObjects, storageAddress, storageNames } from "./azure-objects.ts";
import { type Cloud, remoteShell } from "./cloud-client.ts";
import { objectCopies, objectDeletes, requests } from "./cloud-objects.ts";
import { optionList } from "./grammar.ts";
import type { Call, Effects } from "./program.ts";
import { spelled } from "./spelled.ts";

const localConfig =
  (file: string, system: string): Effects =>
  (call) => {
    if (/ (?:get|list|get-value|describe|list-profiles|show)$/.test(call.subcommand)) return;
    call.to.write(homeField(file, call.draft.place));
    call.to.config(spelled`${system} configure ${call.operands[0]}`);
  };

/** `aws configure get name`: a key is printed, a region is not. */
const configured: Effects = (call) => {
  const [name] = call.operands;
  if (name?.kind === "literal" && !/key|token|secret/i.test(name.text)) return;
  call.to.read(homeField("~/.aws/credentials", call.draft.place));
  call.to.config("aws reveal configure/get");
};

/** `bucket/key` of `aws s3api`. */
function inBucket(call: Call, bucket: Field, key: Field): Field {
  return together(together(bucket, literalField("/", call.draft.place)), key);
}

/** Returns the file of a word `file://p` or `fileb://p`, or undefined. */
function givenFile(word: Field): Field | undefined {
  const path = /^fileb?:\/\/(.+)$/s.exec(word.text)?.[1];
  return path === undefined ? undefined : withText(word, path);
}

/** `s3api put-object --body f`, `s3api get-object --bucket b --key k f`, `s3api delete-objects --delete file://f`. */
const objectFiles: Effects = (call) => {
  if (!call.subcommand.startsWith("s3api ")) return;
  for (const file of call.values("--body")) if (!/^fileb?:\/\//.test(file.text)) call.to.read(file);
  const [last] = call.operands.slice(-1);
  const given = last && givenFile(last);
  if (given) call.to.read(given);
  else if (last && /^s3api (?:get-object(?:-torrent)?|select-object-content)$/.test(call.subcommand))
    call.to.write(last);
};

/** The client of Amazon Web Services. Source: its command reference. */
export const aws: Cloud = {
  names: "aws",
  system: "aws",
  form: "service",
  options: optionList(`
    --profile=; --region=; --output=; --query=; --endpoint-url=; --ca-bundle=; --cli-read-timeout=;
    --cli-connect-timeout=; --color=; --cli-input-json=; --cli-input-yaml=; --cli-binary-format=; --no-sign-request;
    --no-verify-ssl; --no-paginate; --no-cli-pager; --debug; --recursive; --delete; --dryrun; --force; --quiet; --yes;
    --exclude=; --include=; --acl=; --sse=; --sse-c=; --sse-c-key=; --sse-kms-key-id=; --sse-c-copy-source=;
    --sse-c-copy-source-key=; --storage-class=; --content-type=; --cache-control=; --content-disposition=;
    --content-encoding=; --content-language=; --website-redirect=; --metadata=; --metadata-directive=; --copy-props=;
    --expires=; --expected-size=; --request-payer=; --source-region=; --page-size=; --checksum-algorithm=;
    --checksum-mode=; --only-show-errors; --no-progress; --follow-symlinks; --no-follow-symlinks; --size-only;
    --exact-timestamps; --no-guess-mime-type; --max-items=; --filters=; --bucket=; --key=;
    --body=; --with-decryption; --no-dry-run; --dry-run; --skip-final-snapshot; --parameters=; --document-name=; --targets=;
    --grants=; --grant-read=; --grant-write=; --grant-full-control=; --grant-read-acp=; --grant-write-acp=; --policy=;
    --access-control-policy=; --cors-configuration=; --lifecycle-configuration=; --website-configuration=; --tagging=;
    --policy-document=; --template-file=; --template-body=; --zip-file=; --function-name=; --payload=; --policy-arn=;
    --principal=; --group-names=; --user-ids=; --cidr=; --public-access-block-configuration=; --publicly-accessible
  `),
  naming: ["--bucket", "--key", "--function-name", "--policy-arn"],
  named: (call) => {
    const [bucket, key] = [call.value("--bucket"), call.value("--key")];
    if (!bucket || !call.subcommand.startsWith("s3api ")) return;
    if (key) return [inBucket(call, bucket, key)];
    return call.operands.some((word) => givenFile(word)) ? [bucket] : undefined;
  },
  files: objectFiles,
  host: (words, call) => {
    const endpoint = call.value("--endpoint-url");
    if (endpoint) return endpoint.text;
    const bucket = words[0] === "s3api" ? call.value("--bucket") : undefined;
    if (bucket) {
      const host = rewritten(bucket, (name) => `https://${name}.s3.amazonaws.com`);
      const key = call.value("--key");
      return key ? inBucket(call, host, key) : host;
    }
    return words[0] === "configure" ? "" : `https://${words[0] === "s3api" ? "s3" : (words[0] ?? "")}.amazonaws.com/`;
  },
  reveals: [
    [/^sts (?:get-session-token|assume-role|get-federation-token)/, "~/.aws/credentials"],
    [/^configure export-credentials$/, "~/.aws/credentials"],
    [/^ecr(?:-public)? get-(?:login-password|authorization-token)$/, "~/.aws/credentials"],
    [/^secretsmanager (?:get-secret-value|batch-get-secret-value)$/, ""],
    [/^ssm get-parameters?(?:-by-path)?$/, ""],
    [/^iam create-access-key$/, ""],
  ],
  special: new Map<string, Effects>([
    ["s3 cp", objectCopies("aws")],
    ["s3 mv", objectCopies("aws")],
    ["s3 sync", objectCopies("aws")],
    ["s3 rm", objectDeletes("aws")],
    ["s3 rb", objectDeletes("aws")],
    ["ssm send-command", remoteShell],
    ["ssm start-session", remoteShell],
    ["ecs execute-command", remoteShell],
    ["configure", localConfig("~/.aws/config", "aws")],
    ["configure list", () => {}],
    ["configure list-profiles", () => {}],
    ["configure export-credentials", () => {}],
    ["configure get", configured],
  ]),
};

/** The client of Google Cloud. Source: its command reference. */
export const gcloud: Cloud = {
  names: "gcloud",
  system: "gcloud",
  form: "verb",
  options: optionList(`
    --project=; --account=; --zone=; --region=; --format=; --filter=; --configuration=; --impersonate-service-account=;
    --verbosity=; --billing-project=; -q --quiet; --limit=; --sort-by=; --command=; --member=; --role=; --location=; --cluster=;
    --data-file=; --secret=; --key-file=; --image=; --source=; --flags-file=; --async; --recursive -r -R; --all; --tag=;
    --source-ranges=; --allow-unauthenticated; --iam-account=; --cache-control=; --content-type=; --content-language=;
    --content-encoding=; --content-disposition=; --content-md5=; --custom-metadata=; --custom-time=; --predefined-acl=;
    --canned-acl=; --storage-class=; --exclude=; --manifest-path=; --gzip-in-flight=; --gzip-local=; --encryption-key=;
    --additional-headers=; --update-custom-metadata=; --add-acl-grant=; --remove-acl-grant=; --acl-file=;
    --no-public-access-prevention; --public-access-prevention
  `),
  naming: [],
  host: ([first = "", second = ""]) => {
    if (first === "init" || (first === "auth" && /^(?:login|application-default|revoke)$/.test(second)))
      return "https://accounts.google.com/";
    if (first === "components") return "https://dl.google.com/";
    return ["config", "auth", "info", "version"].includes(first) ? "" : `https://${first}.googleapis.com/`;
  },
  reveals: [
    [
      /^(?:beta |alpha )?auth (?:application-default )?print-(?:access|identity)-token$/,
      "~/.config/gcloud/credentials.db",
    ],
    [/^secrets versions access(?: |$)/, ""],
    [/^config config-helper$/, "~/.config/gcloud/credentials.db"],
  ],
  special: new Map<string, Effects>([
    ["storage cp", objectCopies("gcloud")],
    ["storage mv", objectCopies("gcloud")],
    ["storage rsync", objectCopies("gcloud")],
    ["storage rm", objectDeletes("gcloud")],
    ["compute ssh", remoteShell],
    ["config set", localConfig("~/.config/gcloud/configurations/config_default", "gcloud")],
  ]),
};

/** The client of Azure. Source: its command reference. */
export const azure: Cloud = {
  names: "az",
  system: "azure",
  form: "verb",
  options: optionList(`
    -n --name=; -g --resource-group=; --subscription=; -o --output=; --query=; -l --location=; -y --yes; --no-wait; --ids=;
    --vault-name=; --account-name=; --share-name=; --blob-url=; -c --container-name=; -f --file=; -d --destination=; -s --source=; --scripts=;
    --command-id=; --parameters=; --template-file=; --resource=; --verbose; --debug; --assignee=; --role=; --scope=;
    --method -m=; --uri --url -u=; --body -b=; --only-show-errors; --username=; --password=; --tenant=; --sku=; --image=;
    -p --path=; -q --queue-name=; -t --type=; --dest=; --connection-string=; --destination-path=; --pattern=; --account-key=;
    --sas-token=; --auth-mode=; --content=; --dryrun; --destination-account-name=; --delete-destination=;
    --source-local-path=; --destination-local-path=; --source-account-name=; --source-container=; --source-share=; --source-blob=;
    --source-file-path=; --destination-container=; --destination-share=; --destination-blob=; --destination-file-path=; --permissions=; --expiry=;
    --public-access=; --allow-blob-public-access=?
  `),
  naming: ["--name", "--ids"],
  named: storageNames,
  host: ([first = ""], call) => {
    if (first === "login") return "https://login.microsoftonline.com/";
    const account = first === "storage" ? storageAddress(call) : undefined;
    if (account) return account;
    return ["config", "account", "version", "logout"].includes(first) ? "" : "https://management.azure.com/";
  },
  reveals: [
    [/^account get-access-token$/, "~/.azure/msal_token_cache.json"],
    [/^keyvault (?:secret|key|certificate) (?:show|download)$/, ""],
    [/(?:list-keys|keys list|show-connection-string|list-connection-strings)$/, ""],
    [/^storage .*generate-sas$/, ""],
    [/^ad sp create-for-rbac$/, ""],
  ],
  special: new Map<string, Effects>([
    ["vm run-command", remoteShell],
    ["ssh vm", remoteShell],
    ["storage blob upload", azureObjects("upload")],
    ["storage blob download", azureObjects("download")],
    ["storage blob upload-batch", azureObjects("upload")],
    ["storage blob download-batch", azureObjects("download")],
    ["storage file upload", azureObjects("upload")],
    ["storage file download", azureObjects("download")],
    ["storage file upload-batch", azureObjects("upload")],
    ["storage file download-batch", azureObjects("download")],
    ["storage blob sync", azureObjects("upload")],
    ["storage fs file upload", azureObjects("upload")],
    ["storage fs file download", azureObjects("download")],
    ["storage fs directory upload", azureObjects("upload")],
    ["storage fs directory download", azureObjects("download")],
    ["storage copy", azureCopies],
  ]),
};

/** The client of GitHub. Source: its command reference. */
export const github: Cloud = {
  names: "gh",
  system: "github",
  form: "verb",
  // `-F` names the file with a text, but for `gh api`.
  files: (call) => {
    for (const file of call.values("--body-file")) if (file.text !== "-") call.to.read(file);
  },
  options: optionList(`
    -R --repo=; -X --method=; -f --raw-field=; -F --field --body-file=; -H --header=; -q --jq=; -t --title --template=;
    -b --body=; -B --base=; -l --label=; -a --assignee=; -m --milestone=; --json=; -L --limit=; -s --state=; --hostname=;
    --input=; -y --yes --confirm; -d --draft; -n --notes=; --notes-file=; -c --comment=; -w --web; -D --dir=; -p --pattern=;
    -o --output=; -u --user=; --paginate; --cache=; --with-token; --scopes=; --squash; --merge; --rebase; -e --env=;
    --visibility=; --public; --private; --show-token; --shell
  `),
  naming: [],
  host: (words, call) =>
    ["config", "alias", "version", "completion", "help"].includes(words[0] ?? "")
      ? ""
      : `https://${call.value("--hostname")?.text ?? "api.github.com"}/`,
  reveals: [[/^auth token$/, "~/.config/gh/hosts.yml"]],
  special: new Map<string, Effects>([
    ["api", requests("github", "api.github.com")],
    // The words behind these are what is looked for, and no verbs.
    ...["code", "commits", "issues", "prs", "repos"].map((what): [string, Effects] => [
      `search ${what}`,
      (call) => call.to.network("https://api.github.com/", "download"),
    ]),
    [
      "auth status",
      (call) => {
        call.to.network("https://api.github.com/", "download");
        if (!call.has("--show-token")) return;
        call.to.read(homeField("~/.config/gh/hosts.yml", call.draft.place));
        call.to.config("github reveal auth/status");
      },
    ],
    [
      "alias set",
      (call) => {
        const text = call.operands[1];
        if (text?.text.startsWith("!") || (text && call.has("--shell"))) call.to.run(`!${text.text.replace(/^!/, "")}`);
      },
    ],
    [
      "config set",
      (call) => {
        const [key, value] = call.operands;
        if (key && value && /^(?:editor|pager|browser)$/.test(key.text) && /[/.\s|;&]/.test(value.text))
          call.to.config(`GH_${key.text.toUpperCase()}`);
      },
    ],
    [
      "repo clone",
      (call) => {
        const [name, folder] = call.operands;
        if (!name) return;
        call.to.network(
          rewritten(name, (text) => (text.includes("://") ? text : `https://github.com/${text}`)),
          "download",
        );
        call.to.newTree();
        call.to.write(folder ?? withText(name, (name.text.split("/").at(-1) ?? "").replace(/\.git$/, "") || "."));
      },
    ],
    [
      "pr checkout",
      (call) => {
        call.to.network("https://api.github.com/", "download");
        call.to.onBranch(undefined);
      },
    ],
    [
      "release download",
      (call) => {
        call.to.network("https://github.com/", "download");
        call.to.write(call.value("--output") ?? call.value("--dir") ?? literalField(".", call.draft.place));
      },
    ],
    [
      "gist create",
      (call) => {
        for (const file of call.operands) if (file.text !== "-") call.to.read(file);
        call.to.network("https://api.github.com/gists", "upload");
        call.to.config("github create gist");
      },
    ],
    [
      "release upload",
      (call) => {
        for (const file of call.operands.slice(1)) call.to.read(withText(file, file.text.replace(/#.*$/s, "")));
        call.to.network("https://uploads.github.com/", "upload");
      },
    ],
    ["extension", remoteShell],
    ["codespace ssh", remoteShell],
  ]),
};

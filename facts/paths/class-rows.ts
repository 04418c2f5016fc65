/**
 * Rows of the path classes: globs as in policies. A row that ends in `/` is the folder itself and all beneath it;
 * a row that begins with `!` takes away what the others gave. Sources: language section 2 (`is`), threats rows 11,
 * 12, 13, 15, 19 and section 1.4, and the documentation of each tool for where it keeps its credentials.
 */

/** Files that hold credentials or keys. Templates of them, public keys and certificate bundles of the system are not. */
export const secretRows: readonly string[] = [
  ".env", ".env.*", "*.env", ".envrc", ".env-*", ".env_*",
  "!.env{.,-,_}{example,sample,template,dist,defaults,tpl,tmpl,schema,d.ts}", "!*.{example,sample,template,dist}.env", "!example.env", "!sample.env", "!template.env",
  "!.env.*.{example,sample,template,dist}",
  ".ssh/id_*", ".ssh/*_{rsa,dsa,ecdsa,ed25519}", ".ssh/identity", "/etc/ssh/ssh_host_*_key", "{id_rsa,id_dsa,id_ecdsa,id_ed25519}{,_sk}", "!*.pub",
  "*.{pem,key,p12,pfx,pkcs12,p8,jks,keystore,ppk,kdbx,kdb,asc.key,ovpn,agekey,jceks}",
  "!/etc/ssl/certs/**", "!/usr/share/ca-certificates/**", "!/usr/lib/ssl/certs/**", "!/etc/pki/tls/certs/**", "!{cacert,ca-bundle,ca-certificates}.pem", "!fullchain.pem", "!*pub{,lic}{,_key,-key}.{pem,key}",
  "/etc/{shadow,gshadow,master.passwd,sudoers,krb5.keytab}{,-,~}", "/etc/sudoers.d/", "/etc/ssl/private/", "/etc/security/opasswd", "/private/etc/master.passwd", "/var/lib/sss/secrets/",
  ".aws/credentials", ".aws/config", ".aws/sso/cache/", ".aws/cli/cache/", ".boto", ".s3cfg", ".azure/{accessTokens.json,msal_token_cache.*,azureProfile.json,service_principal_entries.*}",
  "~/.config/gcloud/", "application_default_credentials.json", "{service-account,service_account,gcp-key,gcloud-key}*.json", ".config/gh/hosts.yml", ".config/hub", ".config/glab-cli/config.yml",
  ".netrc", "_netrc", ".pgpass", ".my.cnf", ".mylogin.cnf", ".mongorc.js", ".dbshell", ".docker/config.json", ".dockercfg", ".kube/config", "kubeconfig", "*.kubeconfig", "/etc/kubernetes/admin.conf", "/etc/rancher/k3s/k3s.yaml",
  "~/.npmrc", "~/.yarnrc.yml", "~/.pypirc", "~/.cargo/credentials{,.toml}", "~/.gem/credentials", "~/.m2/settings{,-security}.xml", "~/.gradle/gradle.properties", "~/.composer/auth.json", "~/.config/composer/auth.json", "~/.nuget/NuGet/NuGet.Config", "~/.config/pypoetry/auth.toml", "~/.condarc", "~/.terraformrc", "~/.terraform.d/credentials.tfrc.json",
  "*.tfstate", "*.tfstate.backup", "*.auto.tfvars", "terraform.tfvars",
  ".gnupg/", "~/.password-store/", "~/.local/share/keyrings/", "~/Library/Keychains/", "/Library/Keychains/", "~/.config/op/", "~/.1password/", "~/.config/rclone/rclone.conf", "~/.config/doctl/config.yaml", "~/.config/heroku/", "~/.config/stripe/config.toml", "~/.config/{sops,age}/", "~/.vault-token", ".vault_pass{,.txt}", "~/.git-credentials", "~/.config/git/credentials", ".git-credentials", "~/.config/anthropic/", "~/.{claude,codex,gemini}/{.credentials.json,auth.json,oauth_creds.json}", "~/.local/share/opencode/auth.json", "~/.{pi,omp}/agent/auth.json", "~/.config/github-copilot/", "~/.huggingface/token", "~/.cache/huggingface/token", "~/.kaggle/kaggle.json", "~/.databrickscfg", "~/.snowsql/config", "~/.snowflake/connections.toml",
  ".htpasswd", "secrets.{yml,yaml,json,toml,env}", "credentials.{yml,yaml,json,toml,csv}", "master.key", "wp-config.php", "/run/secrets/", "/var/run/secrets/", "/proc/*/environ", "/proc/*/task/*/environ", "wallet.dat", "~/.bitcoin/", "~/.ethereum/keystore/", "~/.config/solana/id.json",
  "~/.mozilla/firefox/**/{logins.json,key4.db,cookies.sqlite}", "~/.config/{google-chrome,chromium,BraveSoftware}/**/{Login Data,Cookies}", "~/Library/Application Support/{Google/Chrome,Firefox}/**/{Login Data,Cookies,logins.json,key4.db}",
];

/** Files that steer an agent, an editor, git, a shell or CI, and so run code or lift limits later. */
export const agentConfigRows: readonly string[] = [
  ".claude/", ".codex/", ".cursor/", ".gemini/", ".opencode/", ".pi/", ".omp/", ".cline/", ".roo/", ".windsurf/", ".continue/", ".kiro/", ".factory/", ".qwen/", ".amazonq/", ".copilot/", ".goose/", ".aider*", ".agents/",
  "~/.claude.json", "~/.config/{claude,opencode,goose,codex,gh-copilot,crush}/", "opencode.json{,c}", ".mcp.json", "mcp.json", "claude_desktop_config.json", "{AGENTS,CLAUDE,GEMINI,CLAUDE.local,AGENT}.md", ".{cursorrules,windsurfrules,clinerules,roorules,goosehints}", ".github/copilot-instructions.md", ".github/{hooks,agents,instructions,prompts}/", "SKILL.md",
  ".git/config", ".git/config.worktree", ".git/hooks/", ".git/info/attributes", ".git/modules/**/{config,hooks/**}", ".gitmodules", ".gitattributes", "~/.gitconfig", "~/.config/git/", ".husky/", "lefthook.{yml,yaml}", ".pre-commit-config.yaml",
  ".vscode/{settings,tasks,launch,mcp,extensions}.json", "*.code-workspace", ".idea/", ".devcontainer/", ".devcontainer.json", ".envrc", ".npmrc", ".yarnrc*", ".yarn/plugins/", "pip.conf", "~/.config/pip/", ".pypirc", ".cargo/config{,.toml}", "bunfig.toml", ".pnpmfile.cjs", "mise.toml", ".tool-versions",
  "~/.{bashrc,bash_profile,bash_login,bash_logout,bash_aliases,profile,zshrc,zshenv,zprofile,zlogin,zlogout,kshrc,cshrc,tcshrc,inputrc,xprofile,xinitrc,pam_environment}", "~/.config/{fish,nushell,powershell,environment.d,autostart}/", "/etc/{profile,bash.bashrc,bashrc,zshrc,zshenv,environment}", "/etc/profile.d/", "/etc/zsh/", "authorized_keys{,2}", ".ssh/{config,rc}", "/etc/ssh/sshd_config",
  "/etc/{crontab,anacrontab}", "/etc/cron*/", "/var/spool/cron/", "~/.config/systemd/", "/etc/systemd/", "/lib/systemd/", "/usr/lib/systemd/", "~/Library/LaunchAgents/", "/Library/{LaunchAgents,LaunchDaemons}/", "/etc/ld.so.{conf,preload}", "/etc/ld.so.conf.d/",
  ".github/workflows/", ".github/actions/", ".gitlab-ci.{yml,yaml}", ".circleci/", "Jenkinsfile", "azure-pipelines.{yml,yaml}", "bitbucket-pipelines.yml", ".travis.yml", ".drone.yml", ".woodpecker{,.yml,.yaml}", ".buildkite/", ".forgejo/", ".gitea/",
];

/** The engine's own policies, audit trail, keys, state, cache and program. */
export const engineRows: readonly string[] = [
  ".hookwarden/", "/etc/hookwarden/", "/Library/Application Support/hookwarden/", "/ProgramData/hookwarden/", "/*:/ProgramData/hookwarden/", "~/.config/hookwarden/", "~/.local/share/hookwarden/", "~/.local/state/hookwarden/", "~/.cache/hookwarden/",
  "~/Library/{Application Support,Caches,Preferences}/hookwarden/", "~/AppData/{Local,Roaming}/hookwarden/", "/var/{lib,log,cache,run}/hookwarden/", "/run/hookwarden/", "node_modules/hookwarden/", "{bin,.bin,sbin}/{hookwarden,hookwarden-hook}{,.cmd,.exe,.ps1,.js,.mjs,.cjs}",
];

/** Folders for scratch data. */
export const tempRows: readonly string[] = ["/tmp/", "/var/tmp/", "/private/tmp/", "/private/var/tmp/", "/var/folders/*/*/T/", "/private/var/folders/*/*/T/", "/dev/shm/", "/run/user/*/tmp/", "~/AppData/Local/Temp/", "/*:/Windows/Temp/", "/*:/Temp/"];

/** Device files, but for those that only discard or make data or are the process's own streams. */
export const deviceRows: readonly string[] = [
  "/dev/", "/proc/sysrq-trigger", "/proc/kcore", "/proc/{kmem,mem}", "/sys/block/", "/sys/class/block/", "/proc/bus/",
  "!/dev", "!/dev/{null,zero,full,random,urandom,tty,stdin,stdout,stderr,ptmx,console}", "!/dev/fd", "!/dev/fd/**", "!/dev/shm", "!/dev/shm/**", "!/dev/pts", "!/dev/pts/**", "!/dev/{tcp,udp}/**", "!/dev/ttys*",
];

/** Folders of the operating system and its packages. */
export const systemRows: readonly string[] = [
  "/{etc,usr,bin,sbin,boot,opt,proc,sys,run,snap,root}/", "/lib*/", "/var/", "/private/{etc,var}/", "/{System,Library,Applications,cores}/", "/nix/", "/gnu/", "/*:/{Windows,Program Files,Program Files (x86),ProgramData}/",
  "!/var/tmp", "!/var/tmp/**", "!/private/var/tmp", "!/private/var/tmp/**", "!/var/folders", "!/var/folders/**", "!/private/var/folders", "!/private/var/folders/**", "!/run/user", "!/run/user/**", "!/var/www/**", "!/usr/local/src/**",
];

/** Places where other volumes appear; each of their children is a volume of its own. */
export const mountRows: readonly string[] = ["/mnt/*", "/media/*", "/media/*/*", "/run/media/*/*", "/Volumes/*", "/?:", "/cygdrive/*", "/net/*", "/mnt", "/media", "/Volumes", "/run", "/run/media", "/run/media/*", "/cygdrive", "/net"];

/** Children of `/`, but for those that may be emptied without loss. */
export const rootRows: readonly string[] = ["/*", "!/tmp"];

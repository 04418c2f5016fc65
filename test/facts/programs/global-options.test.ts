import { describe, expect, it } from "vitest";
import { bash } from "../effects/judge.ts";

/** Options that programs take before their subcommand, with the subcommand that rules must see. */
const rows: readonly (readonly [command: string, subcommand: string])[] = [
  ["helm --kube-context prod uninstall x", "uninstall"],
  ["helm --kubeconfig f -n ns uninstall x", "uninstall"],
  ["kubectl --context prod --as admin -s https://h delete pod x", "delete"],
  ["kubectl --request-timeout 5s -v 5 delete pod x", "delete"],
  ["oc --context c -n x delete pod y", "delete"],
  ["docker --context prod -H tcp://h rm x", "rm"],
  ["docker compose -f a.yml -p b down", "compose down"],
  ["podman --url u rm x", "rm"],
  ["git -C /x -c a=b --git-dir /y --work-tree z push", "push"],
  ["gh -R a/b pr merge 3", "pr merge"],
  ["aws --profile prod --region x s3 rm s3://b/x", "s3 rm"],
  ["gcloud --project p --account a compute instances delete x", "compute instances delete"],
  ["az --subscription s group delete", "group delete"],
  ["terraform -chdir=x destroy", "destroy"],
  ["pulumi -C x --stack prod destroy", "destroy"],
  ["argocd --server s app delete x", "app delete"],
  ["istioctl -c f -n x uninstall", "uninstall"],
  ["vault -address=https://h kv delete s", "kv delete"],
  ["vault -address https://h kv delete s", "kv delete"],
  ["doctl --context x compute droplet delete 1", "compute droplet delete"],
  ["hcloud --context x server delete 1", "server delete"],
  ["scw -p prod instance delete 1", "instance delete"],
  ["linode-cli --as-user u linodes delete 1", "linodes delete"],
  ["mc --config-dir d rm a/b", "rm"],
  ["npm --prefix x -w pkg publish", "publish"],
  ["pnpm --filter a --dir x publish", "publish"],
  ["yarn --cwd x publish", "publish"],
  ["cargo +nightly publish", "publish"],
  ["cargo --manifest-path f --config a=b publish", "publish"],
  ["cargo -q --color never publish", "publish"],
  ["go -C x install y@latest", "install"],
  ["pip --proxy http://h --log f install y", "install"],
  ["poetry -C x publish", "publish"],
  ["poetry --directory x -n publish", "publish"],
  ["uv --directory x --offline publish", "publish"],
  ["uv --project x pip install y", "pip install"],
  ["hg -R x --config a.b=c push", "push"],
  ["sl --cwd x push", "push"],
  ["svn --username u --password p delete a", "delete"],
  ["jj -R x abandon", "abandon"],
];

describe("options before the subcommand", () => {
  it.each(rows)("%s", (command, subcommand) => {
    expect(bash(command).shell?.commands[0]?.subcommand).toBe(subcommand);
  });

  it("a toolchain is no subcommand, and only the first word is one", () => {
    expect(bash("cargo +1.80 install ripgrep").effects?.installs.map(({ name }) => name)).toEqual(["ripgrep"]);
    expect(bash("cargo install +1.80").effects?.installs.map(({ name }) => name)).toEqual(["+1.80"]);
  });
});

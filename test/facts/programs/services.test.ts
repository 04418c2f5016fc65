import { describe, expect, test } from "vitest";
import { bash } from "../effects/judge.ts";

/** The requests of a command: `host direction`, without those that only may happen. */
function reached(command: string): string {
  const { effects } = bash(command);
  return (effects?.network ?? []).map(({ url, direction }) => `${url.scheme}://${url.host} ${direction}`).join("; ");
}

const cluster = "kubernetes://configured";

describe("a client of a remote service reaches it", () => {
  test.each([
    ["kubectl apply -f k.yaml", `${cluster} upload`],
    ["kubectl -n prod delete pod x", `${cluster} upload`],
    ["kubectl exec -it web -- sh", `${cluster} both`],
    ["kubectl port-forward svc/x 8080:80", `${cluster} both`],
    ["kubectl get pods -A", `${cluster} download`],
    ["kubectl rollout status deploy/x", `${cluster} download`],
    ["kubectl rollout restart deploy/x", `${cluster} upload`],
    ["kubectl apply --dry-run=server -f k.yaml", `${cluster} upload`],
    ["kubectl apply --dry-run=client -f k.yaml", `${cluster} download`],
    ["kubectl neat get pods", `${cluster} upload`],
    ['kubectl "$VERB" pods', `${cluster} both`],
    ["oc new-project x", `${cluster} upload`],
    ["minikube kubectl -- get pods", `${cluster} download`],
    ["sudo sh -c 'kubectl cp a web:/b'", `${cluster} both`],
    ["helm install x ./chart", `${cluster} upload`],
    ["helm upgrade --install x bitnami/redis", `${cluster} upload; helm://configured download`],
    ["helm ls", `${cluster} download`],
    ["helm rollback x 1", `${cluster} upload`],
    ["helm repo update", "helm://configured download"],
    ["helm dependency build ./chart", "helm://configured download"],
    ["helm pull bitnami/redis", "helm://configured download"],
    ["helm registry login ghcr.io -u x", "https://ghcr.io upload"],
    ["terraform apply", "terraform://configured upload"],
    ["terraform -chdir=infra plan", "terraform://configured download"],
    ["tofu state rm a.b", "terraform://configured upload"],
    ["terragrunt run-all plan", "terraform://configured download"],
    ["terraform workspace new x", "terraform://configured upload"],
    ["pulumi up", "https://api.pulumi.com upload"],
    ["pulumi preview", "https://api.pulumi.com download"],
    ["cdk deploy", "https://cloudformation.amazonaws.com upload"],
    ["ansible-playbook site.yml", "ssh://configured both"],
    ["ansible all -i 'a.test,b.test' -m ping", "ssh://a.test both; ssh://b.test both"],
    ["aws ssm start-session --target i-1", "https://ssm.amazonaws.com both"],
    ["gcloud compute ssh vm", "https://compute.googleapis.com both"],
    ["gcloud auth login", "https://accounts.google.com upload"],
    ["az login", "https://login.microsoftonline.com upload"],
    ["az vm run-command invoke -n x", "https://management.azure.com both"],
    ["gh extension install a/b", "https://api.github.com both"],
    ["hcloud server delete x", "https://api.hetzner.cloud upload"],
    ["flux reconcile source git x", `${cluster} both`],
    ["argocd app sync x", "argocd://configured upload"],
    ["vault kv put secret/x a=b", "vault://configured upload"],
    ["nomad job run x.nomad", "nomad://configured upload"],
    ["stern web", `${cluster} download`],
    ["docker search x", "https://index.docker.io download"],
    ["docker manifest push ghcr.io/a/b", "https://ghcr.io upload"],
    ["podman manifest inspect ghcr.io/a/b", "https://ghcr.io download"],
    ["docker buildx imagetools create -t ghcr.io/a/b ghcr.io/a/c", "https://ghcr.io upload; https://ghcr.io upload"],
    ["docker swarm join --token x 10.0.0.5:2377", "https://10.0.0.5 upload"],
    ["hg push", "https://default upload"],
    ["hg pull https://h.test/r", "https://h.test download"],
    ["svn commit -m x", "svn://configured upload"],
    ["svn checkout https://h.test/r", "https://h.test download"],
    ["jj git push --remote up", "https://up upload"],
    ["jj git fetch", "https://origin download"],
    ["sl clone https://h.test/r", "https://h.test download"],
  ])("%s", (command, expected) => expect(reached(command)).toBe(expected));
});

describe("a call that names the host reaches that one alone", () => {
  test.each([
    ["kubectl --server https://k.test get pods", "https://k.test both"],
    ["kubectl get pods -s https://k.test", "https://k.test both"],
    ["HELM_KUBEAPISERVER=https://k.test helm ls", "https://k.test both"],
    ["argocd --server a.test app sync x", "https://a.test both"],
    ["VAULT_ADDR=https://v.test vault read x", "https://v.test both"],
    ["nomad -address=https://n.test status", "https://n.test both"],
  ])("%s", (command, expected) => expect(reached(command)).toBe(expected));
});

describe("what stays on this machine reaches nothing", () => {
  test.each([
    "kubectl version --client",
    "kubectl config view",
    "kubectl config use-context x",
    "kubectl completion bash",
    "kubectl kustomize .",
    "kubectl create deployment x --image=y --dry-run=client -o yaml",
    "kubectl label --local -f a.yaml x=y -o yaml",
    "kubectl --help",
    "kubectl",
    "helm template ./chart",
    "helm lint ./chart",
    "helm repo list",
    "helm version",
    "helm dependency list ./chart",
    "terraform fmt -recursive",
    "terraform validate",
    "terraform version",
    "terraform show plan.tfplan",
    "terraform plan -help",
    "cdk synth",
    "pulumi version",
    "ansible-playbook --syntax-check site.yml",
    "ansible-playbook -c local site.yml",
    "ansible localhost -m ping",
    "packer validate x.json",
    "gcloud config list",
    "az account show",
    "gh --version",
    "docker images",
    "docker service ls",
    "docker exec web search x",
    "puppet apply x.pp",
    "k9s version",
    "hg status",
    "svn diff",
    "jj log",
  ])("%s", (command) => expect(reached(command)).toBe(""));
});

describe("other version control pushes branches", () => {
  const pushed = (command: string): string =>
    (bash(command).effects?.pushes ?? [])
      .map(({ target, forced, delete: removed }) => {
        const branch = typeof target.branch === "string" ? target.branch : target.branch.form;
        return [branch, ...(forced ? ["forced"] : []), ...(removed ? ["delete"] : [])].join(" ");
      })
      .join("; ");
  test.each([
    ["jj git push", "all"],
    ["jj git push -b main", "main"],
    ["jj git push --bookmark main --bookmark x", "main; x"],
    ["jj git push -b 'glob:rel-*'", "all"],
    ["jj git push --named main=@", "main"],
    ["jj git push --deleted", "all delete"],
    ["jj git push --dry-run", ""],
    ['jj git push -b "$B"', "any"],
    ["hg push", "all"],
    ["hg push -B main", "main"],
    ["hg push --bookmark=main -f", "main forced"],
    ["hg push -b stable", "stable"],
    ["sl push --to main", "main"],
    ["sl push", "all"],
    ["sl push --delete old", "old delete"],
  ])("%s", (command, expected) => expect(pushed(command)).toBe(expected));
});

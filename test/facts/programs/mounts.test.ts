import { describe, expect, test } from "vitest";
import { bash } from "../effects/judge.ts";

/** What a call reads and writes outside the project, as `read path` and `write path`. */
function mounted(command: string): readonly string[] {
  const { effects } = bash(command);
  const outside = (path: string): boolean => !path.startsWith("/home/dev/app") && !path.endsWith("/**");
  return [
    ...(effects?.reads ?? []).map(({ path }) => `read ${path.lexical}`),
    ...(effects?.writes ?? []).map(({ path }) => `write ${path.lexical}`),
  ].filter((one) => outside(one.slice(one.indexOf(" ") + 1)));
}

describe("a folder that a container or service is given is read and written", () => {
  test.each([
    "docker run -v /etc:/x img",
    "docker run -v=/etc:/x img",
    "docker run -v/etc:/x img",
    "docker run --volume=/etc:/x img",
    "docker run --mount type=bind,source=/etc,target=/x img",
    "docker run --mount=type=bind,src=/etc,dst=/x img",
    "docker run --mount Type=BIND,Source=/etc,Destination=/x img",
    "docker run --mount 'type=bind,\"source=/etc\",target=/x' img",
    "docker run --mount type=bind,src=/etc,dst=/x,readonly=0 img",
    "docker run --mount type=volume,dst=/x,volume-opt=type=none,volume-opt=device=/etc,volume-opt=o=bind img",
    "docker create --mount type=bind,src=/etc,dst=/x img",
    "docker container create -v /etc:/x img",
    "docker service create --mount type=bind,source=/etc,target=/x img",
    "docker service create --name web --replicas 2 --mount type=bind,src=/etc,dst=/x img sleep 1",
    "docker service update --mount-add type=bind,src=/etc,dst=/x web",
    "docker volume create --driver local --opt type=none --opt o=bind --opt device=/etc data",
    "docker volume create -o device=/etc data",
    "docker compose run --rm -v /etc:/x web",
    "podman run --mount type=bind,src=/etc,target=/x img",
    "podman run --mount type=glob,src=/etc/*.conf,dst=/x img",
    "podman pod create -v /etc:/x",
    "podman build -v /etc:/x .",
    "nerdctl run --mount type=bind,src=/etc,target=/x img",
    "sudo sh -c 'docker service create --mount type=bind,src=/etc,dst=/x img'",
  ])("%s", (command) => expect(mounted(command)).toEqual(expect.arrayContaining(["read /etc", "write /etc"])));
});

describe("a folder that is only read", () => {
  test.each([
    "docker run -v /etc:/x:ro img",
    "docker run --mount type=bind,src=/etc,dst=/x,ro img",
    "docker run --mount type=bind,src=/etc,dst=/x,readonly=true img",
    "docker service create --mount type=bind,src=/etc,dst=/x,readonly=1 img",
  ])("%s", (command) => expect(mounted(command)).toEqual(["read /etc"]));
});

describe("a mount of no folder of this machine", () => {
  test.each([
    "docker run --mount type=volume,src=data,dst=/etc img",
    "docker run --mount type=tmpfs,dst=/etc img",
    "docker run --mount source=data,target=/etc img",
    "docker run -v data:/etc img",
    "docker run --tmpfs /etc img",
    "docker volume create data",
    "docker service create --replicas 2 img",
    "docker service update --mount-rm /etc web",
    "docker service update --image x:2 web",
  ])("%s", (command) => expect(mounted(command)).toEqual([]));
});

describe("rights of a service or pod", () => {
  const granted = (command: string): readonly unknown[] =>
    (bash(command).effects?.config ?? []).map(({ target }) => target);
  test.each([
    ["docker service create --cap-add ALL img", "docker grant capability"],
    ["docker service create --mount type=bind,src=/var/run/docker.sock,dst=/s img", "docker grant engine"],
    ["podman pod create --userns host", "docker grant host/userns"],
    ["docker service create --name web img", "docker create service/web"],
  ])("%s", (command, expected) => expect(granted(command)).toContain(expected));
});

import { type Field, withText } from "../shell/fields.ts";
import { type Grammar, optionList } from "./grammar.ts";

/** Programs with the command line of docker. */
export const containerEngines = ["docker", "podman", "podman-remote", "nerdctl", "finch"] as const;

/** Options before the subcommand. */
export const engineGlobals: Grammar = {
  options: optionList(`
    -H --host=; -c --context=; --config=; -l --log-level=; -D --debug; --tls; --tlsverify; --tlscacert=; --tlscert=;
    --tlskey=; -v --version; --url=; --connection=; --identity=; -n --namespace=; -a --address=; -r --remote;
    --root=; --runroot=; --runtime=; --runtime-flag=; --cgroup-manager=; --storage-driver=; --storage-opt=; --tmpdir=; --events-backend=;
    --hooks-dir=; --imagestore=; --network-cmd-path=; --network-config-dir=; --conmon=; --module=; --out=; --ssh=; --syslog;
    --transient-store; --volumepath=; --cni-path=; --cni-netconfpath=; --data-root=; --snapshotter=; --hosts-dir=
  `),
  stop: true,
};

/** Options of `run` and `create`, up to the image. Source: docker-run(1), podman-run(1). */
export const runGrammar: Grammar = {
  options: optionList(`
    -a --attach=; --add-host=; --annotation=; --blkio-weight=; --cap-add=; --cap-drop=; --cgroup-parent=; --cgroupns=;
    --cidfile=; -c --cpu-shares=; --cpus=; --cpuset-cpus=; -d --detach; --device=; --dns=; --dns-search=; --domainname=;
    --entrypoint=; -e --env=; --env-file=; --expose=; --gpus=; --group-add=; --health-cmd=; --health-interval=;
    -h --hostname=; --init; -i --interactive; --ip=; --ipc=; --isolation=; -l --label=; --label-file=; --link=;
    --log-driver=; --log-opt=; -m --memory=; --memory-swap=; --mount=; --name=; --network --net=; --network-alias=;
    --no-healthcheck; --oom-kill-disable; --pid=; --pids-limit=; --platform=; --privileged; -p --publish=;
    -P --publish-all; --pull=; -q --quiet; --read-only; --restart=; --rm; --runtime=; --security-opt=; --shm-size=;
    --stop-signal=; --stop-timeout=; --storage-opt=; --sysctl=; --tmpfs=; -t --tty; --ulimit=; -u --user=; --userns=;
    --uts=; -v --volume=; --volume-driver=; --volumes-from=; -w --workdir=; --pod=; --arch=; --replace; --secret=;
    --systemd=; --tz=; --umask=; --rootfs
  `),
  stop: true,
};

/** Options of `service create` and `service update`, up to the image or the service. Source: docker-service-create(1). */
export const serviceGrammar: Grammar = {
  options: [
    ...(runGrammar.options ?? []),
    ...optionList(`
      --args=; --config=; --constraint=; --container-label=; --credential-spec=; --endpoint-mode=; --generic-resource=;
      --group=; --host=; --image=; --limit-cpu=; --limit-memory=; --mode=; --replicas=; --replicas-max-per-node=;
      --reserve-cpu=; --reserve-memory=; --restart-condition=; --rollback; --update-order=; --update-parallelism=;
      --with-registry-auth; --mount-add=; --mount-rm=; --env-add=; --env-rm=; --publish-add=; --publish-rm=; --label-add=;
      --network-add=; --network-rm=; --secret-add=; --config-add=; --constraint-add=; --force; --no-resolve-image;
      --cap-add=; --detach=?
    `),
  ],
  stop: true,
};

/** Options of `exec`, up to the container. */
export const execGrammar: Grammar = {
  options: optionList(`
    -d --detach; --detach-keys=; -e --env=; --env-file=; -i --interactive; --privileged; -t --tty; -u --user=;
    -w --workdir=; -l --latest; --index=; -T --no-TTY; --preserve-fds=
  `),
  stop: true,
};

/** Options of `compose`, before its own subcommand. */
export const composeGrammar: Grammar = {
  options: optionList(`
    -f --file=; -p --project-name=; --profile=; --env-file=; --project-directory=; --ansi=; --parallel=; --progress=;
    --dry-run; --compatibility; --all-resources; --verbose; -v --version; -H --host=; -c --context=; -l --log-level=; --tls;
    --tlscacert=; --tlscert=; --tlskey=; --tlsverify; --in-pod=; --podman-path=; --podman-args=; --pod-args=; --no-ansi
  `),
  stop: true,
};

/** Options of `compose run` and `compose exec`, up to the service. */
export const composeRunGrammar: Grammar = {
  options: optionList(`
    --build; --cap-add=; --cap-drop=; -d --detach; --entrypoint=; -e --env=; -i --interactive; -l --label=; --name=;
    -T --no-TTY --no-tty; --no-deps; -p --publish=; --pull=; --quiet-pull; --remove-orphans; --rm; -P --service-ports;
    --use-aliases; -u --user=; -v --volume=; -w --workdir=; --index=; --privileged; -t --tty
  `),
  stop: true,
};

/** Returns the registry of an image name: the part before the first slash if it has a dot or a port, otherwise Docker Hub. */
export function registryOf(image: Field): Field {
  const [first = ""] = image.text.split("/");
  const named = image.text.includes("/") && (/[.:]/.test(first) || first === "localhost");
  return withText(
    image,
    `https://${named ? first : "registry-1.docker.io"}/v2/${named ? image.text.slice(first.length + 1) : image.text}`,
  );
}

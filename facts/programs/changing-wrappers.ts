import { containerWrappers } from "./container-wrappers.ts";
import { remoteWrappers } from "./remote-wrappers.ts";

/** Wrappers that run a command as another user, with other rights, or with another root. */
const otherUsers: readonly string[] =
  "sudo doas su sg newgrp pkexec run0 runuser gosu su-exec setuidgid s6-setuidgid chpst envuidgid setpriv capsh gsudo please systemd-run start-stop-daemon chroot arch-chroot schroot proot fakechroot unshare nsenter cgexec".split(
    " ",
  );
/** Wrappers that run it on another machine which no row of the tables of remote and container programs has. */
const otherMachines: readonly string[] = "k3s microk8s minikube".split(" ");

let names: ReadonlySet<string> | undefined;

/** True for a wrapper under which a command is another's: run by another user, on another machine or in a container. */
export function changesPlace(wrapper: string): boolean {
  names ??= new Set([
    ...otherUsers,
    ...otherMachines,
    ...[...remoteWrappers, ...containerWrappers].flatMap((one) => one.names),
  ]);
  return names.has(wrapper);
}

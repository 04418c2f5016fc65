import { type Field, homeField, rewritten, textOfField, withText } from "../shell/fields.ts";
import { beginsOpen } from "./addresses.ts";
import { optionList } from "./grammar.ts";
import { operate } from "./operations.ts";
import { type Call, type Effects, exactly, type Program, subcommand } from "./program.ts";
import { spelled } from "./spelled.ts";

const globals = optionList(`
    -n --namespace=; --context=; --kubeconfig=; --cluster=; --user=; -s --server=; --token=; --as=; --as-group=;
    --request-timeout=; --certificate-authority=; --client-key=; --client-certificate=; --insecure-skip-tls-verify;
    -v --v=; --kube-context=; --kube-token=; --registry-config=; --repository-config=; --debug
  `);

const options = [
  ...globals,
  ...optionList(`
    -f --filename=; -k --kustomize=; -R --recursive; -l --selector=; -o --output=; --field-selector=; -A --all-namespaces;
    --all; --dry-run=?; --force; --grace-period=; --wait=?; --timeout=; --now; --cascade=?; --ignore-not-found; -c
    --container=; -t --tty; -i --stdin; --replicas=; --image=; -p --patch=; --type=; --patch-file=; --from-file=;
    --from-literal=; --from-env-file=; --tail=; --since=; -w --watch; --raw; --sort-by=; --template=; --field-manager=;
    --server-side; --prune; --overwrite; --port=; --target-port=; --restart=; --env=; --min=; --max=; --address=;
    --ignore-daemonsets; --delete-emptydir-data; --kubeconfig=; --minify; --flatten; --rm; --for=; --show-labels
  `),
];

/** Kinds by their short and plural names. */
const kinds: ReadonlyMap<string, string> = new Map(
  `namespace ns namespaces|pod po pods|deployment deploy deployments|service svc services|secret secrets
   |configmap cm configmaps|node no nodes|persistentvolume pv persistentvolumes
   |persistentvolumeclaim pvc persistentvolumeclaims|statefulset sts statefulsets|daemonset ds daemonsets
   |replicaset rs replicasets|job jobs|cronjob cj cronjobs|ingress ing ingresses|serviceaccount sa serviceaccounts
   |customresourcedefinition crd crds customresourcedefinitions|role roles|rolebinding rolebindings
   |clusterrole clusterroles|clusterrolebinding clusterrolebindings|project projects|storageclass sc storageclasses`
    .split("|")
    .flatMap((line) => {
      const [name = "", ...others] = line.trim().split(/\s+/);
      return [name, ...others].map((other) => [other, name] as const);
    }),
);

/** The kind by its first name, also behind a version and group: `deployments.v1.apps`. A kind that is not known stays whole. */
export function kindOf(text: string): string {
  const whole = text.toLowerCase();
  return kinds.get(whole) ?? kinds.get(whole.replace(/\..*$/s, "")) ?? whole;
}

/** Resources as words name them: `pod a b`, `pod/a svc/b`, `pods,svc -l x`; without names every one, `*`. */
function resources(call: Call, operands: readonly Field[]): Field[] {
  const [first, ...names] = operands;
  if (!first) return [];
  if (first.text.includes("/"))
    return operands.map((word) => {
      return rewritten(word, (text) => {
        const [kind = "", ...name] = text.split("/");
        return `${kindOf(kind)}/${name.join("/")}`;
      });
    });
  const list = first.text.split(",").map(kindOf);
  const named = names.length > 0 && !call.has("--selector") && !call.has("--all") ? names : [withText(first, "*")];
  return list.flatMap((kind) =>
    named.map((name) => ({
      ...rewritten(name, (text) => `${kind}/${text}`),
      kind: first.kind === "literal" ? name.kind : first.kind,
    })),
  );
}

function dry(call: Call): boolean {
  return call.has("--dry-run") && !/^(?:none|false|f|0)$/i.test(call.value("--dry-run")?.text ?? "");
}

/** Manifests: files, folders or addresses. */
function manifests(call: Call): readonly Field[] {
  const files = [...call.values("--filename"), ...call.values("--kustomize")];
  for (const file of files) {
    const isAddress = /^https?:\/\//i.test(file.text);
    if (isAddress || beginsOpen(file)) call.to.network(file, "download");
    if (!isAddress && file.text !== "-") call.to.read(file, { recursive: true });
  }
  return files;
}

const workload = /^(?:pod|deployment|statefulset|daemonset|replicaset|replicationcontroller|job)\//;

/** Reports the end of what runs in the cluster: a deleted pod, a deployment that is scaled to nothing or restarted. */
function endWorkloads(call: Call, named: readonly Field[]): void {
  for (const one of named) if (workload.test(one.text)) call.to.kill(textOfField(one), one.kind === "literal");
}

/** Verbs whose words are names of nodes. */
const nodeVerbs = /^(?:drain|cordon|uncordon)$/;

const changes: Effects = (call) => {
  for (const name of ["--from-file", "--from-env-file", "--patch-file"])
    for (const file of call.values(name)) call.to.read(withText(file, file.text.replace(/^[^=/]*=/, "")));
  const files = manifests(call);
  if (dry(call)) return;
  const last = call.subcommand.split(" ").at(-1) ?? "";
  const undone = last === "rollout" && call.operands[0]?.text === "undo";
  const verb = undone ? "rollback" : last;
  const words = last === "rollout" || verb === "set" ? call.operands.slice(1) : call.operands;
  const named =
    verb === "create" || verb === "expose" || verb === "label" || verb === "annotate" ? words.slice(0, 2) : words;
  for (const file of files)
    if (/^(?:https?:\/\/|git@|ssh:|(?:github|gitlab|bitbucket)\.(?:com|org)\/)/i.test(file.text))
      call.to.install("kubectl", "url", textOfField(file));
  const targets = nodeVerbs.test(verb)
    ? named.map((word) => rewritten(word, (text) => `node/${text}`))
    : resources(call, named);
  const manifest = files.map((file) => rewritten(file, (text) => `manifest/${text}`));
  const stops = verb === "scale" && call.value("--replicas")?.text === "0";
  operate(call, "kubernetes", stops ? "stop" : verb, "", targets.length > 0 ? targets : manifest);
  // The pods of the nodes end.
  if (verb === "drain") for (const node of targets) call.to.kill(textOfField(node), node.kind === "literal");
  if (stops || (last === "rollout" && call.operands[0]?.text === "restart")) endWorkloads(call, targets);
  if (call.has("--prune")) call.to.config("kubernetes delete */*");
};

/** Reports what `delete` names: manifests, resources, or neither. */
const deletes: Effects = (call) => {
  if (call.operands.length === 0 && call.values("--filename").length + call.values("--kustomize").length === 0) {
    if (!dry(call)) call.to.config("kubernetes delete");
    return;
  }
  const files = manifests(call);
  if (dry(call)) return;
  if (files.length > 0) operate(call, "kubernetes", "delete", "manifest", files);
  if (call.operands.length === 0) return;
  const named = resources(call, call.operands);
  operate(call, "kubernetes", "delete", "", named);
  endWorkloads(call, named);
};

const reads: Effects = (call) => {
  manifests(call);
  const shown = resources(call, call.operands);
  const full = /^(?:json|yaml|jsonpath|go-template|custom-columns)/.test(call.value("--output")?.text ?? "");
  if (call.subcommand === "get" && full)
    operate(call, "kubernetes", "reveal", "", shown.filter((one) => one.text.startsWith("secret/")).slice(0, 64));
};

const getsOnly: Effects = (call) => {
  const secret = call.operands.some((word) =>
    word.text.split(",").some((part) => kindOf(part.split("/")[0] ?? "") === "secret"),
  );
  if (secret) reads(call);
  else manifests(call);
};

function inside(call: Call): void {
  call.to.run(`kubectl ${call.subcommand}`);
  call.to.doubt("what runs in the cluster is not known");
}

function copies(call: Call): void {
  const [from, to] = call.operands;
  const remote = (place: Field | undefined): boolean => /^[^./:][^:]*:/.test(place?.text ?? "");
  if (from && !remote(from)) call.to.read(from, { recursive: true });
  if (to && !remote(to)) call.to.write(to);
}

function settings(call: Call): void {
  const verb = call.operands[0]?.text ?? "view";
  const file = call.value("--kubeconfig") ?? homeField("~/.kube/config", call.draft.place);
  if (verb === "view" && (call.has("--raw") || call.has("--flatten"))) call.to.read(file);
  if (/^(?:view|get-|current-)/.test(verb)) return;
  call.to.write(file);
  call.to.config(spelled`kubernetes ${verb} ${call.operands[1]}`);
}

/** A server given by address. */
function server(call: Call): void {
  for (const address of call.values("--server")) call.to.network(address, "both");
  if (call.subcommand !== "" || call.operands.length === 0) return;
  call.to.run(`${call.program} ${call.operands[0]?.text ?? ""}`);
  call.to.doubt(`what \`${call.program} ${call.operands[0]?.text ?? ""}\` does is not known`);
}

const kubectl: Program = {
  names: ["kubectl", "oc", "k"],
  grammar: { options: globals, stop: true },
  subcommands: [
    subcommand("get describe", options, getsOnly),
    subcommand(
      "logs top explain api-resources api-versions version cluster-info events wait options completion diff auth kustomize whoami status",
      options,
      reads,
    ),
    subcommand("delete", options, deletes),
    subcommand(
      "apply create replace patch edit scale autoscale label annotate expose cordon uncordon taint drain certificate set rollout new-project project policy",
      options,
      (call) => {
        if (call.subcommand === "rollout" && /^(?:status|history)$/.test(call.operands[0]?.text ?? "")) return;
        changes(call);
      },
    ),
    {
      names: ["adm"],
      grammar: { options, stop: true },
      subcommands: [subcommand("drain cordon uncordon taint policy", options, changes)],
      effects: changes,
    },
    subcommand("run exec debug attach rsh", options, inside),
    subcommand("port-forward proxy", options, (call) => call.to.run(`kubectl ${call.subcommand}`)),
    subcommand("cp", options, copies),
    subcommand("config", options, settings),
    subcommand("login", [...options, "-u --username=", "-p --password="], (call) => {
      const [address] = call.operands;
      if (address) call.to.network(address, "upload");
      call.to.write(homeField("~/.kube/config", call.draft.place));
    }),
  ],
  effects: server,
};

const helmOptions = [
  ...globals,
  ...optionList(`
    -f --values=; --set=; --set-string=; --set-file=; --version=; --repo=; -i --install; --dry-run=?; --wait; --timeout=;
    --create-namespace; --atomic; -d --destination=; --output-dir=; -o --output=; --post-renderer=; --keep-history;
    --untar; --untardir=; --username=; --password=; --devel; --force; --history-max=; -a --all; -A --all-namespaces
  `),
];

function charts(call: Call): void {
  for (const file of call.values("--values")) {
    const isAddress = /^https?:\/\//i.test(file.text);
    if (isAddress || beginsOpen(file)) call.to.network(file, "download");
    if (!isAddress) call.to.read(file);
  }
  // The first of several words is the name of the release.
  const name = call.operands.length > 1 ? call.operands[0] : undefined;
  for (const place of [...call.operands, ...call.values("--repo")]) {
    if (/^(?:https?|oci):\/\//i.test(place.text) || (place !== name && beginsOpen(place)))
      call.to.network(place, "download");
    else if (/^[./~]/.test(place.text)) call.to.read(place, { recursive: true });
  }
  const renderer = call.value("--post-renderer");
  if (!renderer) return;
  call.to.run(renderer.text);
  call.to.doubt("helm runs a program that it is given");
}

const release =
  (verb: string): Effects =>
  (call) => {
    charts(call);
    if (!dry(call) && verb !== "delete")
      for (const place of [...call.operands, ...call.values("--repo")])
        if (/^https?:\/\//i.test(place.text)) call.to.install("helm", "url", textOfField(place));
    if (!dry(call))
      operate(call, "helm", verb, "release", verb === "delete" ? call.operands : call.operands.slice(0, 1));
  };

const helm: Program = {
  names: ["helm"],
  grammar: { options: globals, stop: true },
  subcommands: [
    subcommand("list ls get status history show search version env lint verify help", helmOptions, charts),
    subcommand("template", helmOptions, (call) => {
      charts(call);
      const folder = call.value("--output-dir");
      if (folder) call.to.write(folder);
    }),
    subcommand("pull fetch", helmOptions, (call) => {
      charts(call);
      call.to.write(call.value("--destination") ?? withText({ ...call.draft.name, kind: "literal", glob: false }, "."));
    }),
    subcommand("install", helmOptions, release("install")),
    subcommand("upgrade", helmOptions, release("upgrade")),
    subcommand("rollback", helmOptions, release("rollback")),
    subcommand("uninstall delete del un", helmOptions, release("delete")),
    subcommand("test", helmOptions, release("test")),
    subcommand("create", helmOptions, (call) => call.operands[0] && call.to.write(call.operands[0])),
    subcommand("repo dependency dep registry", helmOptions, (call) => {
      for (const place of call.operands)
        if (/^(?:https?|oci):\/\//i.test(place.text) || (place === call.operands[2] && beginsOpen(place)))
          call.to.network(place, "download");
    }),
    subcommand("package", helmOptions, (call) => {
      charts(call);
      const [folder] = call.operands;
      if (folder) call.to.read(folder, { recursive: true });
      call.to.write(call.value("--destination") ?? withText({ ...call.draft.name, kind: "literal", glob: false }, "."));
    }),
    subcommand("push", helmOptions, (call) => {
      const [file, place] = call.operands;
      if (file) call.to.read(file);
      if (place) call.to.network(place, "upload");
    }),
  ],
  effects: server,
};

/** Clients of Kubernetes clusters. Source: kubectl and helm reference. */
export const kubernetesPrograms: readonly Program[] = (
  [
    kubectl,
    helm,
    {
      names: ["kustomize", "kubectx", "kubens", "stern", "k9s", "crictl"],
      effects: (call) => {
        if (call.program === "kubectx" || call.program === "kubens") {
          const [name] = call.operands;
          if (name)
            call.to.config(spelled`kubernetes use ${call.program === "kubectx" ? "context" : "namespace"}/${name}`);
        } else if (call.program === "kustomize") {
          for (const word of call.operands.slice(1)) call.to.read(word, { recursive: true });
        } else if (call.program === "k9s") call.to.doubt("what is done in the terminal of k9s is not known");
        else if (call.program === "crictl") crictl(call);
      },
    },
    {
      names: ["kind", "k3d", "minikube", "k3s", "microk8s", "eksctl", "kubeadm", "kops"],
      effects: (call) => {
        const [verb, ...rest] = call.operands;
        if (!verb || /^(?:get|list|status|version|logs|profile|ip|dashboard|describe|help|addons)$/.test(verb.text))
          return;
        const gone = /^(?:delete|stop|reset)$/.test(verb.text);
        const [kind, ...names] = rest[0] && call.program !== "minikube" ? rest : [withText(verb, "cluster")];
        const words = names.length > 0 ? names : call.values("--name");
        operate(call, call.program, gone && verb.text !== "stop" ? "delete" : verb.text, kind?.text ?? "", words);
        if (verb.text === "create" || verb.text === "start") call.to.run(`${call.program} ${verb.text}`);
      },
      grammar: { options: ["-n --name=", "-p --profile=", "--config=", "-c --cluster=", "--image=", "--region="] },
    },
  ] satisfies readonly Program[]
).map((row) => exactly<Program>(row));

function crictl(call: Call): void {
  const [verb, ...names] = call.operands;
  if (/^(?:rm|rmi|rmp|stopp?)$/.test(verb?.text ?? ""))
    operate(call, "cri", "delete", verb?.text === "rmi" ? "image" : "container", names);
  if (/^stopp?$/.test(verb?.text ?? ""))
    for (const name of names) call.to.kill(spelled`container/${name}`, name.kind === "literal");
  else if (verb?.text === "exec") inside(call);
}

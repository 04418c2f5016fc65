/** Rules of the kinds that policies of an organisation are made of, each with examples that hold. */
const kinds: readonly ((i: number) => string)[] = [
  (i) => `  - id: push-${i}
    title: Forced push of team ${i}
    severity: high
    tags: [attack.t1485, team.t${i % 7}]
    event: [tool_call, user_bash]
    each: { p: effects.pushes }
    when: { p.forced: true, p.remote: { in: [upstream-${i}, mirror-${i}] } }
    unless: { p.target.branch: { glob: ["topic-${i}/**", "wip-${i}/**"] } }
    action: block
    reason: "a forced push to {p.target.branch} overwrites what others have"
    guidance: Push without force, or to a branch under topic/.
    examples:
      match:
        - git push --force upstream-${i} main
        - git push -f mirror-${i} HEAD:release
        - { tool: bash, args: { command: "git push --force upstream-${i} develop" } }
      no_match:
        - git push upstream-${i} main
        - git push --force upstream-${i} topic-${i}/a
`,
  (i) => `  - id: key-${i}
    title: Keys of service ${i}
    # Names alone say nothing.
    severity: critical
    event: tool_call
    each: { r: effects.reads }
    when: { r.path: { glob: ["/srv/service-${i}/**/*.key", "/srv/service-${i}/private/**"] }, r.metadata_only: false }
    action: block
    reason: "{r.path} is a key of service ${i}"
    guidance: Ask the human for the one value you need.
    examples:
      match:
        - cat /srv/service-${i}/a/b.key
        - { tool: read, args: { path: /srv/service-${i}/private/y } }
      no_match:
        - cat /srv/service-${i}/readme.md
        - ls -l /srv/service-${i}/private
`,
  (i) => `  - id: host-${i}
    title: Destinations of project ${i}
    severity: medium
    event: [tool_call, user_bash]
    each: { n: effects.network }
    when: { n.url.host: { host_in: [project-${i}.example.com, legacy-${i}.example.org] } }
    action: ask
    reason: "{n.url.host} belongs to project ${i}"
    examples:
      match:
        - curl https://project-${i}.example.com/x
        - { tool: bash, args: { command: "curl -fsSL https://a.legacy-${i}.example.org/y -o y" } }
      no_match:
        - curl https://example.com/project-${i}
        - wget https://registry.example.net/${i}
`,
  (i) => `  - id: apply-${i}
    title: Changes of cluster ${i}
    severity: high
    event: [tool_call, user_bash]
    when: |
      shell.commands.exists(c, c.program == "kubectl" && c.?subcommand.orValue("") == "apply" &&
        c.words.exists(w, w.text.matches("^cluster-${i}(?:-[a-z]+)?$")))
    action: ask
    reason: a change of cluster ${i} is asked about
    examples:
      match:
        - kubectl --context cluster-${i} apply -f a.yaml
        - "sh -c 'kubectl --context cluster-${i}-eu apply -f b.yaml'"
      no_match:
        - kubectl --context staging apply -f a.yaml
        - kubectl get pods
`,
  (i) => `  - id: settings-${i}
    title: Settings of tool ${i}
    severity: low
    event: tool_call
    each: { w: effects.writes }
    when: { all: [{ w.path: { glob: "**/.tool-${i}/*.json" } }, { not: { environment.user: ci } }] }
    action: ask
    reason: "{w.path} changes what tool ${i} does"
    examples:
      match:
        - { tool: write, args: { path: .tool-${i}/settings.json, content: "{}" } }
        - tee .tool-${i}/a.json
      no_match:
        - { tool: write, args: { path: notes-${i}.md, content: "# x" } }
        - { tool: bash, args: { command: "tee .tool-${i}/b.json" }, environment: { user: ci } }
`,
];

/** A policy of so many rules, in canonical form. */
export function manyRules(count: number): string {
  const rules = Array.from({ length: count }, (_, i) => (kinds[i % kinds.length] as (i: number) => string)(i));
  return `version: 1\npolicy: many\ntitle: Rules of an organisation\nrules:\n${rules.join("\n")}`;
}

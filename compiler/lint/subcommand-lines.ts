/**
 * Subcommands of programs whose rows do not list them: of a group its words stand behind the colon, and a line without one
 * has words that are subcommands by themselves. Only words that many policies name; none of the lists can be whole. Source:
 * the command reference of each program.
 */
export const subcommandLines: readonly (readonly [programs: string, lines: string])[] = [
  [
    "gh",
    `agent-task api browse co completion copilot help preview status version
     alias: delete import list set
     attestation: download trusted-root verify
     auth: login logout refresh setup-git status switch token
     cache: delete list
     codespace: code cp create delete edit jupyter list logs ports rebuild ssh stop view
     config: clear-cache get list set
     extension: browse create exec install list remove search upgrade
     gist: clone create delete edit list rename view
     gpg-key: add delete list
     issue: close comment create delete develop edit list lock pin reopen status transfer unlock unpin view
     label: clone create delete edit list
     org: list
     pr: checkout checks close comment create diff edit list lock merge ready reopen revert review status unlock update-branch view
     project: close copy create delete edit field-create field-delete field-list item-add item-archive item-create item-delete item-edit item-list link list mark-template unlink view
     release: create delete delete-asset download edit list upload verify verify-asset view
     repo: archive clone create delete edit fork list rename set-default sync unarchive view
     repo autolink: create delete list view
     repo deploy-key: add delete list
     ruleset: check list view
     run: cancel delete download list rerun view watch
     search: code commits issues prs repos
     secret: delete list set
     ssh-key: add delete list
     variable: delete get list set
     workflow: disable enable list run view`,
  ],
  [
    "glab",
    `api check-update completion help version duo
     alias: delete list set
     auth: login logout status
     ci: cancel config delete get lint list retry run status trace trigger view
     cluster: agent
     config: edit get set
     deploy-key: add delete get list
     incident: close list note reopen subscribe unsubscribe view
     issue: board close create delete list note reopen subscribe unsubscribe update view
     label: create delete edit get list
     milestone: create delete edit get list
     mr: approve approvers checkout close create delete diff for issues list merge note rebase reopen revoke subscribe todo unsubscribe update view
     release: create delete download list upload view
     repo: archive clone contributors create delete fork list mirror search transfer update view
     schedule: create delete list run update
     securefile: create download get list remove
     snippet: create
     ssh-key: add delete get list
     token: create list revoke rotate
     user: events
     variable: delete export get list set update`,
  ],
  [
    "aws",
    `configure help login logout
     autoscaling: create-auto-scaling-group delete-auto-scaling-group update-auto-scaling-group set-desired-capacity
     cloudformation: create-stack create-change-set delete-stack delete-stack-set delete-change-set deploy describe-stacks execute-change-set update-stack
     cloudfront: create-distribution create-invalidation delete-distribution update-distribution
     cloudtrail: create-trail delete-trail put-event-selectors stop-logging update-trail
     cloudwatch: delete-alarms delete-dashboards disable-alarm-actions put-metric-alarm
     dynamodb: batch-write-item create-table delete-backup delete-item delete-table get-item put-item query scan update-item update-table
     ec2: authorize-security-group-ingress create-key-pair create-security-group create-snapshot delete-key-pair delete-security-group delete-snapshot delete-subnet delete-volume delete-vpc deregister-image describe-instances modify-instance-attribute reboot-instances release-address revoke-security-group-ingress run-instances start-instances stop-instances terminate-instances
     ecr: batch-delete-image create-repository delete-repository get-login-password
     ecs: delete-cluster delete-service deregister-task-definition execute-command run-task stop-task update-service
     efs: delete-file-system delete-mount-target
     eks: create-cluster delete-cluster delete-nodegroup update-cluster-config update-kubeconfig
     elasticache: delete-cache-cluster delete-replication-group
     iam: add-user-to-group attach-role-policy attach-user-policy create-access-key create-login-profile create-policy create-role create-user delete-access-key delete-policy delete-role delete-user detach-role-policy list-users put-role-policy put-user-policy update-assume-role-policy
     kms: create-key decrypt disable-key encrypt put-key-policy schedule-key-deletion
     lambda: add-permission create-function delete-function invoke update-function-code update-function-configuration
     logs: create-log-group delete-log-group delete-log-stream filter-log-events put-retention-policy tail
     organizations: close-account create-account leave-organization remove-account-from-organization
     rds: create-db-instance delete-db-cluster delete-db-instance delete-db-snapshot modify-db-instance reboot-db-instance stop-db-instance
     redshift: delete-cluster modify-cluster
     route53: change-resource-record-sets create-hosted-zone delete-hosted-zone
     s3: cp ls mb mv presign rb rm sync website
     s3api: create-bucket delete-bucket delete-bucket-policy delete-object delete-objects get-object list-objects-v2 put-bucket-acl put-bucket-policy put-bucket-versioning put-object put-object-acl put-public-access-block delete-public-access-block
     secretsmanager: create-secret delete-secret get-secret-value put-secret-value update-secret batch-get-secret-value
     sns: create-topic delete-topic publish subscribe
     sqs: create-queue delete-queue purge-queue receive-message send-message
     ssm: delete-parameter get-parameter get-parameters put-parameter send-command start-session
     sso: login logout
     sts: assume-role get-caller-identity get-session-token`,
  ],
  [
    "gsutil",
    `cat compose cp du hash ls mb mv rb rewrite rm rsync setmeta stat
     acl: ch get set
     defacl: ch get set
     iam: ch get set
     lifecycle: get set
     versioning: get set`,
  ],
  ["s3cmd s5cmd mc", "cp del get ls mb mv put rb rm sync"],
  [
    "gcloud",
    `cheat-sheet docker feedback help info init survey version
     app: browse deploy describe
     app services: browse delete describe list set-traffic update
     app versions: browse delete describe list migrate start stop
     artifacts docker images: delete list
     artifacts repositories: create delete describe list
     auth: activate-service-account configure-docker list login print-access-token print-identity-token revoke
     auth application-default: login print-access-token revoke
     builds: cancel describe list log submit
     components: install list remove restore update
     compute: scp ssh
     compute addresses: create delete describe list
     compute disks: create delete describe list resize snapshot
     compute firewall-rules: create delete describe list update
     compute images: create delete describe list
     compute instances: add-metadata create delete describe list reset resume set-service-account start stop suspend update
     compute networks: create delete describe list update
     compute snapshots: delete describe list
     config: get get-value list set unset
     container clusters: create delete describe get-credentials list resize update upgrade
     container node-pools: create delete describe list update
     dns record-sets: create delete list update
     firestore: export import
     firestore databases: create delete list
     functions: call delete deploy describe list
     iam roles: create delete describe list update
     iam service-accounts: add-iam-policy-binding create delete describe list
     iam service-accounts keys: create delete list
     kms keys: create list update
     projects: add-iam-policy-binding create delete describe list remove-iam-policy-binding set-iam-policy undelete update
     pubsub subscriptions: create delete list pull
     pubsub topics: create delete list publish
     run: deploy
     run jobs: create delete deploy execute list
     run services: delete describe list replace update
     secrets: add-iam-policy-binding create delete describe list update
     secrets versions: access add destroy disable enable list
     services: disable enable list
     sql backups: create delete list
     sql databases: create delete list
     sql export: csv sql
     sql import: csv sql
     sql instances: clone create delete describe list patch restart
     sql users: create delete list set-password
     storage: cat cp ls mv rm rsync
     storage buckets: create delete describe list update add-iam-policy-binding`,
  ],
  [
    "az",
    `configure feedback find help interactive login logout rest upgrade version
     account: clear get-access-token list set show
     acr: build create delete list login update
     acr repository: delete list show untag
     ad app: create delete list update
     ad sp: create create-for-rbac delete list
     ad user: create delete list update
     aks: create delete get-credentials list scale start stop update upgrade
     aks nodepool: add delete list update
     appconfig: create delete list
     cosmosdb: create delete list update
     deployment group: create delete list validate what-if
     disk: create delete list update
     functionapp: create delete deploy list restart stop
     group: create delete list show update
     keyvault: create delete list purge recover set-policy show update
     keyvault key: create delete list purge
     keyvault secret: delete download list purge set show
     lock: create delete list
     monitor: clone
     network nsg: create delete list
     network nsg rule: create delete list update
     network vnet: create delete list update
     policy assignment: create delete list
     postgres server: create delete list update
     redis: create delete flush list
     resource: create delete list move show update
     role assignment: create delete list
     servicebus namespace: create delete list
     snapshot: create delete list
     sql db: create delete export import list restore
     sql server: create delete list update
     storage account: create delete list update
     storage account keys: list renew
     storage blob: copy delete delete-batch download list upload upload-batch
     storage container: create delete list set-permission
     tag: create delete list
     vm: create deallocate delete list restart run-command show start stop
     vmss: create deallocate delete list scale start stop update
     webapp: create delete deploy list restart stop up`,
  ],
  [
    "doctl",
    `completion help version
     apps: create create-deployment delete get list update
     auth: init list remove switch
     compute droplet: create delete get list
     compute domain: create delete list
     compute snapshot: delete get list
     compute volume: create delete list
     compute firewall: create delete list update
     databases: create delete get list
     kubernetes cluster: create delete get list upgrade
     registry: create delete get login logout
     registry repository: delete-manifest delete-tag list`,
  ],
  [
    "hcloud",
    `completion help version
     context: active create delete list use
     firewall: add-rule apply-to-resource create delete list
     image: delete describe list update
     load-balancer: create delete describe list
     network: create delete describe list
     server: create delete describe list poweroff reboot rebuild reset shutdown ssh
     ssh-key: create delete list
     volume: attach create delete detach list resize`,
  ],
  [
    "fly flyctl",
    `console dashboard deploy docs doctor help launch logs ping proxy scale status version
     apps: create destroy list move open restart
     auth: login logout token whoami
     certs: add check list remove show
     machine: clone destroy exec kill list restart run start stop update
     postgres: attach connect create detach list
     secrets: deploy import list set unset
     ssh: console issue sftp
     tokens: create list revoke
     volumes: create destroy extend list show`,
  ],
  [
    "vault bao",
    `agent delete events login list read server ssh status unwrap version-history write
     audit: disable enable list
     auth: disable enable list move tune
     kv: delete destroy get list metadata patch put rollback undelete
     lease: lookup renew revoke
     operator: init rekey seal step-down unseal
     policy: delete fmt list read write
     secrets: disable enable list move tune
     token: capabilities create lookup renew revoke`,
  ],
  [
    "op",
    `completion help inject read run signin signout update whoami
     account: add forget get list
     document: create delete edit get list
     group: create delete edit get list
     item: create delete edit get list move share template
     user: confirm delete edit get invite list provision reactivate suspend
     vault: create delete edit get list`,
  ],
  [
    "argocd",
    `admin completion context help login logout relogin version
     account: bcrypt can-i delete-token generate-token get list update-password
     app: create delete diff get history list logs patch rollback set sync terminate-op unset wait
     appset: create delete get list
     cluster: add get list rm rotate-auth set
     proj: add-destination add-source create delete edit get list remove-destination set
     repo: add get list rm`,
  ],
  [
    "kubectl oc",
    `rollout: history pause restart resume status undo
     config: current-context delete-cluster delete-context delete-user get-contexts rename-context set-context set-credentials unset use-context view`,
  ],
  [
    "supabase",
    `bootstrap help init link login logout start status stop unlink
     branches: create delete get list update
     db: diff dump lint pull push reset start
     functions: delete deploy download list new serve
     migration: down fetch list new repair squash up
     projects: api-keys create delete list
     secrets: list set unset`,
  ],
  [
    "wrangler",
    `delete deploy deployments dev docs init login logout publish rollback tail types versions whoami
     d1: create delete execute export info list
     d1 migrations: apply create list
     kv key: delete get list put
     kv namespace: create delete list
     pages: deploy dev
     queues: create delete list purge
     r2 bucket: create delete list
     r2 object: delete get put
     secret: bulk delete list put`,
  ],
  ["cargo", "uninstall"],
  ["pnpm", "deploy"],
  ["chg sl", "remove rm undo rollback"],
  ["goreleaser docker-compose", "publish"],
];

/** Words that programs also take as operands or names of scripts, although a subcommand has the same name. */
export const freeWords: readonly (readonly [programs: string, words: string])[] = [
  ["npm pnpm yarn bun", "test t start stop restart build dev lint help version"],
  ["docker podman nerdctl finch", "ls top diff wait"],
  ["kubectl oc k", "events certificate project policy status version run"],
  ["pip uv poetry pipenv", "pip"],
];

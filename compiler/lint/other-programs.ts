/** Programs that the tables do not have and that many machines do: none of them is a slip of another name. */
export const otherPrograms: readonly string[] =
  `aider amp claude cline codex copilot droid crush cursor cursor-agent gemini goose omp opencode pi qwen windsurf code-insiders codium devtunnel
   ngrok cloudflared localtunnel lt bore frpc chisel zrok pagekite inlets gost tunnelmole tmole localxpose
   ctr crictl crun add-apt-repository apt-key yum-config-manager setenv setx ab ack act ag air amixer ansible-lint ant apropos arduino-cli aria2 asciidoctor atop atuin autossh avahi-browse awslocal
   axel az-cli bandit bash-language-server bat batcat bazelisk bc bear biome bison black bluetoothctl bmon btop btm buf buildkit
   bump2version byobu caddy cal calc cargo-watch cdk certbot cfn-lint chafa checkov chezmoi choose cilium circleci clangd
   clippy cloc cmake cmark cobra codesign colima comm commitlint coverage cowsay cpplint croc csc csi csvkit ctags ctop cue
   unar lsar ditto curlie cwebp cypress dart dash delta dig direnv dive dlv dmesg dnsmasq dogsheep doxygen dua duf dust dvc earthly
   editorconfig-checker elixir elm emcc entr erb erl esbuild eslint expo exa eza factor fastlane fd fdfind ffmpeg ffprobe
   figlet fish flake8 flamegraph flex flutter flyway fold fortune fossil freeze fx fzf gh-copilot ghc gifski gimp gitk
   gitleaks gitui glances glow gnuplot go-task goaccess gofmt golangci-lint gopls gource gox gpg2 grafana graphviz groff
   grpcurl gtop gum guard gunicorn hadolint haskell hatch hexyl hey hledger hsdis htop hugo hurl hyperfine iftop iotop ipython
   isort jaq java javac jbang jest jj jless jmeter jo jobber jsonlint jsonnet julia jump just k3d k3s k6 k9s karma kcat kind
   kitty ko kompose kotlin kotlinc kubeval kustomize lazydocker lazygit ldd less lefthook lein less-css ltrace lighttpd lnav
   lolcat lsd lua luac luajit lynis man marp-cli mas mdbook mdcat melos meson micro minify minikube mkcert mkdocs mocha mold
   mono mosh mprocs msbuild mtr mvn mvnd mypy nasm navi ncdu neofetch neovim newman nim ninja nix-shell nodemon nox nushell nu
   nuxt nvim nx objdump ocaml octave onefetch ollama opam openapi-generator otool packer pandoc parcel pass patchelf pdm
   perf pgcli phpunit pino playwright pm2 pnpx podman-compose pre-commit prettier procs prometheus protoc protolint pry psalm
   puma pulumi pwsh py-spy pyright pytest pyenv qmake quarto rake rails rbenv readelf rector remix ripgrep rollup rspec rubocop
   ruff runc rustc rustfmt rye s3cmd sass sbt scala scalac scons sd semgrep serverless shellcheck shfmt sops spack speedtest
   sphinx-build sqlc sqlfluff staticcheck stack starship stern storybook strace streamlit strip stylua supervisord swc swift
   swiftc swiftlint syft sysbench tailscale tailwindcss task tauri tcpdump telepresence terragrunt tflint tfsec thefuck tig tilt
   tldr tmate tokei tox tree trivy tsc tsserver turbo twine tshark up uptime uvicorn vale valgrind vault vercel viddy vim
   virtualenv vite vitest volta vtop vue w3m watchexec watchman wasm-pack webpack websocat wezterm wire wrk xcodebuild xcrun xh
   xmllint xsv yamllint yarnpkg yq yt-dlp zellij zig zola zoxide zsh
   nmap masscan zmap rustscan sqlmap hydra medusa john hashcat nikto gobuster ffuf feroxbuster dirb wfuzz msfconsole msfvenom
   responder mimikatz bloodhound crackmapexec netexec evil-winrm aircrack-ng wireshark ettercap bettercap proxychains sshuttle
   nginx httpd apachectl postgres redis-server containerd systemd emacsclient gsudo kubeadm kubelet etcdctl etcd minio mongodump
   mongorestore cqlsh clickhouse influx duckdb snowsql bq dbt airflow spark-submit beeline makepkg dpkg-buildpackage rpmbuild
   sbatch srun salloc scancel squeue sinfo scontrol sacct sattach qsub qdel qstat qhold bsub bkill bjobs mpirun mpiexec nvcc esptool
   avrdude openocd pyocd dfu-util st-flash west platformio pio roslaunch rosrun ros2 colcon jupyter papermill mlflow wandb helmfile
   flux argocd istioctl linkerd skaffold kubeseal kops eksctl infracost knife puppet salt vagrant nomad consul
   nohup parallel wgetpaste gitx eslint_d node-gyp npm-check-updates depcheck syncthing rclone-browser ansible-vault
   sqlplus usql litecli mycli iredis sqlite-utils mongo mongoimport mongoexport cockroach ysqlsh isql tsql bcp db2 snowsql trino presto hive beeline
   oc odo rosa doctl linode-cli hcloud scw ibmcloud oci aliyun flyctl railway render netlify wrangler amplify cdktf crossplane kapp ytt
   buildah skopeo cosign notation oras crane dive trufflehog detect-secrets talisman snyk sonar-scanner dependency-check osv-scanner
   pw-cli pactl wpctl xclip xsel wl-copy wl-paste pbcopy pbpaste osascript launchctl defaults security codesign_allocate plutil
   nerdctl lima limactl multipass qemu-system-x86_64 virsh vboxmanage vmrun packer-cli tfenv tfswitch terramate infracost-cli`
    .split(/\s+/)
    .filter((name) => name !== "");

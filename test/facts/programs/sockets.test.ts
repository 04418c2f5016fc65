import { describe, expect, it } from "vitest";
import { bash, writes } from "../effects/judge.ts";

/** Creating a socket is a write to its path; so is a connection to one, since what stands behind it is changed by it. */
const table: readonly (readonly [command: string, paths: readonly string[]])[] = [
  ["nc -lU /run/p.sock", ["/run/p.sock"]],
  ["nc -l -U /run/p.sock", ["/run/p.sock"]],
  ["nc -klU p.sock", ["/home/dev/app/p.sock"]],
  ["nc -U /run/p.sock", ["/run/p.sock"]],
  ["ncat -lU ~/p.sock", ["/home/dev/p.sock"]],
  ["ncat --listen --unixsock /run/p.sock", ["/run/p.sock"]],
  ["netcat -lUk /run/p.sock", ["/run/p.sock"]],
  ["nc -lu -U /run/p.sock", ["/run/p.sock"]],
  ["socat UNIX-LISTEN:/run/p.sock,fork -", ["/run/p.sock"]],
  ["socat - unix-l:/run/p.sock", ["/run/p.sock"]],
  ["socat UNIX-RECVFROM:/run/p.sock,fork EXEC:true", ["/run/p.sock"]],
  ["socat UNIX-RECV:/run/p.sock -", ["/run/p.sock"]],
  ["socat - UNIX-CONNECT:/run/p.sock", ["/run/p.sock"]],
  ["socat - UNIX-SENDTO:/run/q.sock,bind=/run/p.sock", ["/run/q.sock", "/run/p.sock"]],
  ["socat PTY,link=/run/p.sock -", ["/run/p.sock"]],
  ["ssh -L /run/p.sock:localhost:80 h.example -N", ["/run/p.sock"]],
  ["ssh -L /run/p.sock:/run/q.sock h.example -N", ["/run/p.sock"]],
  ["ssh -D /run/p.sock h.example -N", []],
  ["ssh -M -S /run/p.sock h.example -N", ["/run/p.sock"]],
  ["ssh -o ControlPath=/run/p.sock h.example -N", ["/run/p.sock"]],
  ["ssh -L 8080:localhost:80 h.example -N", []],
  ["ssh -S none h.example -N", []],
  ["tmux -S /run/p.sock new-session -d", ["/run/p.sock"]],
  ["tmux -S /run/p.sock ls", ["/run/p.sock"]],
  ["ssh-agent -a /run/p.sock", ["/run/p.sock"]],
  ["curl --unix-socket /run/p.sock http://x/", ["/run/p.sock"]],
  ["systemd-socket-activate -l /run/p.sock cat", ["/run/p.sock"]],
  ["systemd-socket-activate --listen=/run/p.sock cat", ["/run/p.sock"]],
  ["uvicorn --uds /run/p.sock app:app", ["/run/p.sock"]],
  ["gunicorn --bind unix:/run/p.sock app:app", ["/run/p.sock"]],
  ["gunicorn -b unix:///run/p.sock app:app", ["/run/p.sock"]],
  [`python3 -c "import socket; s=socket.socket(socket.AF_UNIX); s.bind('/run/p.sock'); s.listen()"`, ["/run/p.sock"]],
  [
    `python3 -c "import socket as s
a=s.socket(s.AF_UNIX, s.SOCK_STREAM)
p='/run/' + 'p.sock'
a.bind(p)"`,
    ["/run/p.sock"],
  ],
  [`python3 -c "from socket import *; socket(AF_UNIX).bind('/run/p.sock')"`, ["/run/p.sock"]],
  [
    `python3 -c "import socketserver; socketserver.UnixStreamServer('/run/p.sock', H).serve_forever()"`,
    ["/run/p.sock"],
  ],
  [`python3 -c "import socketserver; socketserver.ThreadingUnixStreamServer('/run/p.sock', H)"`, ["/run/p.sock"]],
  [`python3 -c "import asyncio; asyncio.start_unix_server(cb, path='/run/p.sock')"`, ["/run/p.sock"]],
  [`python3 -c "import asyncio; asyncio.start_unix_server(cb, '/run/p.sock')"`, ["/run/p.sock"]],
  [`python3 -c "from multiprocessing.connection import Listener; Listener('/run/p.sock')"`, ["/run/p.sock"]],
  [`python3 -c "import socket; s=socket.socket(); s.bind(('127.0.0.1', 80))"`, []],
  [`node -e "require('net').createServer(c => c.end()).listen('/run/p.sock')"`, ["/run/p.sock"]],
  [`node -e "require('http').createServer().listen('/run/p.sock')"`, ["/run/p.sock"]],
  [
    `node -e "const net = require('net'); const s = net.createServer(); s.listen({ path: '/run/p.sock' })"`,
    ["/run/p.sock"],
  ],
  [`node -e "import('net').then((n) => n.createServer().listen('/run/p.sock'))"`, ["/run/p.sock"]],
  [`node -e "require('net').createServer().listen(8080)"`, []],
  [`node -e "require('http').createServer().listen(process.env.PORT)"`, []],
  [`bun -e "Bun.serve({ unix: '/run/p.sock', fetch() {} })"`, ["/run/p.sock"]],
  [`bun -e "Bun.listen({ unix: '/run/p.sock', socket: {} })"`, ["/run/p.sock"]],
  [`deno eval "Deno.listen({ transport: 'unix', path: '/run/p.sock' })"`, ["/run/p.sock"]],
  [`deno eval "Deno.serve({ path: '/run/p.sock' }, () => new Response())"`, ["/run/p.sock"]],
  [`perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => "/run/p.sock", Listen => 1)'`, ["/run/p.sock"]],
  [
    `perl -e 'use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0); bind(S, sockaddr_un("/run/p.sock")); listen(S, 1)'`,
    ["/run/p.sock"],
  ],
  [
    `perl -e 'use Socket; socket(S, PF_UNIX, SOCK_STREAM, 0); bind(S, pack_sockaddr_un("/run/p.sock"))'`,
    ["/run/p.sock"],
  ],
  [`ruby -rsocket -e 'UNIXServer.new("/run/p.sock").accept'`, ["/run/p.sock"]],
  [`ruby -rsocket -e 'UNIXServer.open("/run/p.sock") { |s| s.accept }'`, ["/run/p.sock"]],
  [`ruby -rsocket -e 'Socket.unix_server_socket("/run/p.sock")'`, ["/run/p.sock"]],
  [`ruby -rsocket -e 'Addrinfo.unix("/run/p.sock").listen'`, ["/run/p.sock"]],
  [`php -r 'stream_socket_server("unix:///run/p.sock");'`, ["/run/p.sock"]],
  [`php -r '$s = socket_create(AF_UNIX, SOCK_STREAM, 0); socket_bind($s, "/run/p.sock");'`, ["/run/p.sock"]],
  [`php -r 'stream_socket_server("tcp://127.0.0.1:80");'`, []],
];

describe("a socket at a path", () => {
  it.each(table)("%s", (command, paths) => {
    const found = writes(bash(command)).map((line) => line.replace(/ maybe$/, ""));
    for (const path of paths) expect(found).toContain(path);
    if (paths.length === 0) expect(found).toEqual([]);
  });
});

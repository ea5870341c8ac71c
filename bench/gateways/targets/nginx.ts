import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findOnPath, freePort, startChild } from "../child.ts";
import type { Target } from "../target.ts";

export const nginx: Target = {
  name: "nginx",
  title: "nginx",
  about: "one worker, kept connections to the upstream, no buffering, no log: a proxy that reads nothing of the body",
  async start(upstreamPort) {
    const program = findOnPath("nginx") ?? findOnPath("../sbin/nginx");
    if (program === null) throw new Error("nginx is not on the PATH");
    const folder = mkdtempSync(join(tmpdir(), "genway-nginx-"));
    const port = await freePort();
    writeFileSync(join(folder, "nginx.conf"), configuration(folder, port, upstreamPort));
    const child = startChild(program, ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")]);
    return {
      port,
      pid: child.pid,
      headers: {},
      trouble: () => (child.hasEnded() ? child.lastWords() : null),
      async stop() {
        await child.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};

function configuration(folder: string, port: number, upstreamPort: number): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `  ${name}_temp_path ${folder}/${name};\n`);
  return `
daemon off;
worker_processes 1;
worker_rlimit_nofile 16384;
pid ${folder}/nginx.pid;
events { worker_connections 8192; }
http {
${temporary.join("")}  access_log off;
  keepalive_requests 1000000000;
  client_body_buffer_size 64k;
  upstream mock { server 127.0.0.1:${upstreamPort}; keepalive 1024; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / {
      proxy_pass http://mock;
      proxy_http_version 1.1;
      proxy_set_header connection "";
      proxy_buffering off;
    }
  }
}
`;
}

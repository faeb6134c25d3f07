// Requests a site all the time, and resolves its name for each request: node client.mjs NAME [DNS SERVER]
// Once a second it prints how many requests were answered and how many failed, and the nodes that answered in this second.
import { Resolver } from "node:dns/promises";
import { get } from "node:http";
import { setTimeout } from "node:timers/promises";

const [name, server = "127.0.0.1:5300"] = process.argv.slice(2);
const resolver = new Resolver();
resolver.setServers([server]);

let answered = 0;
let failed = 0;
const nodes = new Set();

function print() {
  console.log(`answered ${answered}, failed ${failed}; now by ${[...nodes].sort().join(" ") || "nobody"}`);
  nodes.clear();
}
setInterval(print, 1_000);
process.once("SIGINT", () => {
  print();
  process.exit(failed === 0 ? 0 : 1);
});

/** The body of the answer. The emulator's nodes send their labels. */
const bodyOf = (host) =>
  new Promise((resolve, reject) => {
    const request = get({ host, port: 8080, headers: { host: name }, agent: false, timeout: 2_000 });
    request.once("timeout", () => request.destroy(new Error(`${host} does not answer`)));
    request.once("error", reject);
    request.once("response", async (response) => {
      try {
        let body = "";
        for await (const part of response.setEncoding("utf8")) body += part;
        if (response.statusCode !== 200) throw new Error(`${host} answers ${response.statusCode}`);
        resolve(body.trim());
      } catch (error) {
        reject(error);
      }
    });
  });

for (let turn = 0; ; turn++) {
  try {
    const addresses = (await resolver.resolve4(name)).sort();
    nodes.add(await bodyOf(addresses[turn % addresses.length]));
    answered++;
  } catch (error) {
    failed++;
    console.error(error.message);
  }
  await setTimeout(10);
}

// Asks a DNS server for the address of the site, and the site for its page: node client.mjs HOST:PORT
import { Resolver } from "node:dns/promises";

const [server = ""] = process.argv.slice(2);
const name = "www.web-server.example";
const resolver = new Resolver();
resolver.setServers([server]);
const [address] = await resolver.resolve4(name);
const answer = await fetch(`http://${address}:8080/`);
console.log(`${name} is ${address}, which answers: ${(await answer.text()).trim()}`);

import { type Store } from "../kind/kind";
import { PortListener } from "./listener";
import { type MachineEndpoint, type Machine, planMachines } from "./plan";
import { type MachineRules } from "./rules";

/** Each listens with a file descriptor, and a process has a limited number. */
const MAX_LISTENERS = 500;

/** Timers cannot wait longer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const HINTS: Readonly<Record<string, string>> = {
  EACCES: "; only a privileged process can use low ports",
  EADDRNOTAVAIL: "; add the address to the loopback interface",
};

const TOO_MANY = `more than ${MAX_LISTENERS} listen`;

const keyOf = ({ address, service: { port } }: MachineEndpoint) => `${address}:${port}`;

/** The nodes and databases that listen on this machine, at addresses that only this machine reaches. */
export class Machines {
  #rules: MachineRules = [];
  readonly #listeners = new Map<string, PortListener>();
  readonly #closing = new Set<Promise<void>>();
  readonly #warned = new Set<string>();
  #nextAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;

  constructor(
    private readonly store: Store,
    private readonly warn: (message: string) => void,
  ) {}

  /** Opens the first ports. Before, nothing listens. */
  async start(): Promise<void> {
    this.#isRunning = true;
    await this.settle();
  }

  /** Whether a machine has changed by the time that has passed. */
  get isDue(): boolean {
    return this.store.clock.now() >= this.#nextAt;
  }

  /** Opens and closes ports as the objects, the rules and the clock require. It resolves when the ports are open. */
  async settle(): Promise<void> {
    if (!this.#isRunning) return;
    const { machines, nextAt } = planMachines(this.store, this.#rules);
    const open = this.#open(machines);
    for (const key of this.#listeners.keys()) if (!open.has(key)) this.#close(key);
    for (const [key, { label, endpoint }] of open) {
      const said = { service: endpoint.service, label };
      const listener = this.#listeners.get(key);
      if (listener) listener.say(said);
      else if (this.#listeners.size < MAX_LISTENERS) {
        this.#listeners.set(key, new PortListener(endpoint.address, endpoint.service.port, said));
      } else this.#warnOnce(key, TOO_MANY);
    }
    this.#wakeAt(nextAt);
    await Promise.all([...this.#listeners.values()].map(({ ready }) => ready));
    for (const [key, { failure }] of this.#listeners) if (failure !== undefined) this.#warnOnce(key, failure);
  }

  /** The endpoints that are open now, each under its address and port. The first of several is open. */
  #open(machines: readonly Machine[]) {
    const now = this.store.clock.now();
    const open = new Map<string, { label: string; endpoint: MachineEndpoint }>();
    for (const { label, endpoints } of machines) {
      for (const endpoint of endpoints) {
        const key = keyOf(endpoint);
        if (endpoint.from <= now && now < endpoint.to && !open.has(key)) open.set(key, { label, endpoint });
      }
    }
    return open;
  }

  #close(key: string): void {
    const closing = this.#listeners.get(key)?.close();
    this.#listeners.delete(key);
    if (!closing) return;
    this.#closing.add(closing);
    void closing.then(() => this.#closing.delete(closing));
  }

  #wakeAt(nextAt: number): void {
    this.#nextAt = nextAt;
    clearTimeout(this.#timer);
    const { clock } = this.store;
    if (nextAt === Infinity || clock.speed === 0) return;
    const wait = Math.min(Math.ceil((nextAt - clock.now()) / clock.speed), LONGEST_TIMER_MS);
    this.#timer = setTimeout(() => void this.settle(), Math.max(1, wait)).unref();
  }

  #warnOnce(key: string, reason: string): void {
    if (this.#warned.has(reason)) return;
    this.#warned.add(reason);
    const hint = HINTS[reason] ?? "";
    this.warn(
      `a machine cannot listen on ${key} (${reason}${hint}); GET /_emulator/machines lists what listens`,
    );
  }

  /** Replaces all rules. Ports that could not be opened are tried again. */
  async setRules(rules: MachineRules): Promise<void> {
    this.#rules = rules;
    for (const [key, { failure }] of this.#listeners) if (failure !== undefined) this.#close(key);
    await this.settle();
  }

  /** Drops the rules. */
  reset(): void {
    this.#rules = [];
    void this.settle();
  }

  /** The rules, and what each machine serves where. */
  report() {
    const now = this.store.clock.now();
    const { machines } = planMachines(this.store, this.#rules);
    const open = new Set([...this.#open(machines).values()].map(({ endpoint }) => endpoint));
    const services = (endpoints: readonly MachineEndpoint[]) =>
      endpoints.map((endpoint) => {
        const { address, service, from, to } = endpoint;
        return { address, port: service.port, protocol: service.protocol, ...state(endpoint, from, to) };
      });
    const state = (endpoint: MachineEndpoint, from: number, to: number) => {
      if (now < from) return { state: "later" };
      if (now >= to) return { state: "gone" };
      return this.#stateOf(endpoint, open);
    };
    return {
      rules: this.#rules,
      machines: machines.map(({ endpoints, ...machine }) => ({ ...machine, services: services(endpoints) })),
    };
  }

  #stateOf(endpoint: MachineEndpoint, open: ReadonlySet<MachineEndpoint>) {
    const listener = this.#listeners.get(keyOf(endpoint));
    if (!listener) return { state: "failed", reason: TOO_MANY };
    if (listener.failure !== undefined) return { state: "failed", reason: listener.failure };
    return { state: open.has(endpoint) ? "listening" : "hidden" };
  }

  /** Closes all ports and connections. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    clearTimeout(this.#timer);
    for (const key of this.#listeners.keys()) this.#close(key);
    await Promise.all(this.#closing);
  }
}

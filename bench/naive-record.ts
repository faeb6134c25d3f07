/**
 * The baseline: a DNS record as a dynamic provider is usually written. Its code is stored in the state of each record. It sends
 * one request per call, and repeats none.
 */
import * as pulumi from "@pulumi/pulumi";
import axios from "axios";

interface Inputs {
  domainId: number;
  type: string;
  name: string;
  target: string;
  ttlSec: number;
}

interface Outputs extends Inputs {
  created: string;
}

async function api(method: string, path: string, data?: object) {
  const response = await axios.request({
    method,
    url: process.env["NODECLOUD_BASE_URL"] + path,
    headers: { Authorization: `Bearer ${process.env["NODECLOUD_TOKEN"]}` },
    data,
  });
  return response.data;
}

function bodyOf({ type, name, target, ttlSec }: Inputs) {
  return { type, name, target, ttl_sec: ttlSec };
}

const recordProvider: pulumi.dynamic.ResourceProvider<Inputs, Outputs> = {
  async diff(_id, olds, news) {
    const replaces: string[] = [];
    if (olds.domainId !== news.domainId) replaces.push("domainId");
    if (olds.type !== news.type) replaces.push("type");
    const isUpdated = olds.name !== news.name || olds.target !== news.target || olds.ttlSec !== news.ttlSec;
    return { changes: isUpdated || replaces.length > 0, replaces, deleteBeforeReplace: true };
  },

  async create(inputs) {
    const record = await api("POST", `/domains/${inputs.domainId}/records`, bodyOf(inputs));
    return { id: String(record.id), outs: { ...inputs, created: record.created } };
  },

  async read(id, props) {
    if (props === undefined) throw new Error("Reading a record needs its domain.");
    const record = await api("GET", `/domains/${props.domainId}/records/${id}`);
    const { type, name, target, ttl_sec: ttlSec, created } = record;
    return { id, props: { ...props, type, name, target, ttlSec, created } };
  },

  async update(id, olds, news) {
    await api("PUT", `/domains/${news.domainId}/records/${id}`, bodyOf(news));
    return { outs: { ...news, created: olds.created } };
  },

  async delete(id, props) {
    await api("DELETE", `/domains/${props.domainId}/records/${id}`);
  },
};

/** A DNS record. */
export class NaiveRecord extends pulumi.dynamic.Resource {
  declare readonly created: pulumi.Output<string>;

  constructor(name: string, args: Inputs, opts?: pulumi.CustomResourceOptions) {
    super(recordProvider, name, { ...args, created: undefined }, opts);
  }
}

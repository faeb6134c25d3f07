import { type ImageFields } from "../kinds/image";
import { type Specs } from "../kinds/node";

/** The plans with known specs. The reference lists no plans, so the emulator accepts any type id. */
export const PLANS: Readonly<Record<string, Specs>> = {
  "g6-nanode-1": { disk: 25_600, gpus: 0, memory: 1024, transfer: 1000, vcpus: 1 },
  "g6-standard-1": { disk: 51_200, gpus: 0, memory: 2048, transfer: 2000, vcpus: 1 },
  "g6-standard-2": { disk: 81_920, gpus: 0, memory: 4096, transfer: 4000, vcpus: 2 },
  "g6-standard-4": { disk: 163_840, gpus: 0, memory: 8192, transfer: 5000, vcpus: 4 },
  "g6-standard-6": { disk: 327_680, gpus: 0, memory: 16_384, transfer: 8000, vcpus: 6 },
  "g6-standard-8": { disk: 655_360, gpus: 0, memory: 32_768, transfer: 16_000, vcpus: 8 },
  "g6-dedicated-2": { disk: 81_920, gpus: 0, memory: 4096, transfer: 4000, vcpus: 2 },
  "g6-dedicated-4": { disk: 163_840, gpus: 0, memory: 8192, transfer: 5000, vcpus: 4 },
  "g6-dedicated-8": { disk: 327_680, gpus: 0, memory: 16_384, transfer: 6000, vcpus: 8 },
  "g7-premium-2": { disk: 81_920, gpus: 0, memory: 4096, transfer: 4000, vcpus: 2 },
  "g1-gpu-rtx6000-1": { disk: 655_360, gpus: 1, memory: 32_768, transfer: 16_000, vcpus: 8 },
};

const UNKNOWN_PLAN: Specs = { disk: 51_200, gpus: 0, memory: 2048, transfer: 2000, vcpus: 1 };

/** The specs of a plan. An unknown type id has the specs of a small plan. */
export const specsOf = (type: string): Specs => ({ ...(PLANS[type] ?? UNKNOWN_PLAN) });

const BASIC_CAPABILITIES = ["Nodes", "Backups", "Managed Databases"];
const ALL_CAPABILITIES = [...BASIC_CAPABILITIES, "Metadata", "Vlans", "Premium Plans"];

function region(id: string, label: string, capabilities = ALL_CAPABILITIES, status: "ok" | "outage" = "ok") {
  const resolvers = { ipv4: "192.0.2.53,198.51.100.53", ipv6: "2001:db8::53,2001:db8:1::53" };
  return { id, label, country: id.slice(0, 2), capabilities, resolvers, status };
}

export const REGIONS: readonly ReturnType<typeof region>[] = [
  region("us-east", "Newark, NJ, USA", [...ALL_CAPABILITIES, "GPU Nodes"]),
  region("us-west", "Fremont, CA, USA"),
  { ...region("eu-west", "London, England, UK"), country: "gb" },
  { ...region("eu-central", "Frankfurt, Hesse, Germany"), country: "de" },
  { ...region("ap-south", "Singapore, Central Region, Singapore"), country: "sg" },
  // Without metadata and VLANs.
  region("ca-central", "Toronto, Ontario, Canada", BASIC_CAPABILITIES),
  { ...region("ap-northeast", "Tokyo, Kanto, Japan", ALL_CAPABILITIES, "outage"), country: "jp" },
];

/** Each region has one entry, because the reference shows the availability in a region as one object. */
export const AVAILABILITY = REGIONS.map(({ id, capabilities, status }) => ({
  region: id,
  plan: capabilities.includes("GPU Nodes") ? "g1-gpu-rtx6000-1" : "g7-premium-2",
  available: status === "ok" && capabilities.includes("Premium Plans"),
}));

function publicImage(
  name: string,
  label: string,
  vendor: string,
  size: number,
  extra: Partial<ImageFields> = {},
): ImageFields {
  return {
    id: `node/${name}`,
    label,
    description: null,
    capabilities: ["cloud-init"],
    created: "2024-05-02T09:00:00",
    updated: "2024-05-02T09:00:00",
    created_by: "node",
    deprecated: false,
    eol: "2029-05-31T04:00:00",
    expiry: null,
    is_public: true,
    size,
    status: "available",
    type: "manual",
    vendor,
    ...extra,
  };
}

export const PUBLIC_IMAGES: readonly ImageFields[] = [
  publicImage("alpine3.20", "Alpine 3.20", "Alpine", 300, { capabilities: [] }),
  publicImage("almalinux9", "AlmaLinux 9", "AlmaLinux", 1400),
  publicImage("debian10", "Debian 10", "Debian", 1500, {
    capabilities: [],
    deprecated: true,
    eol: "2024-06-30T04:00:00",
  }),
  publicImage("debian11", "Debian 11", "Debian", 1800),
  publicImage("debian12", "Debian 12", "Debian", 1800),
  publicImage("fedora40", "Fedora 40", "Fedora", 2400, { capabilities: [] }),
  publicImage("ubuntu22.04", "Ubuntu 22.04 LTS", "Ubuntu", 3500),
  publicImage("ubuntu24.04", "Ubuntu 24.04 LTS", "Ubuntu", 3500),
];

export const ENGINES = [
  "mysql/5.7.39",
  "mysql/8.0.26",
  "mysql/8.0.30",
  "postgresql/10.14",
  "postgresql/11.16",
  "postgresql/12.12",
  "postgresql/13.2",
  "postgresql/14.6",
].map((id) => {
  const [engine = "", version = ""] = id.split("/");
  return { id, engine, version };
});

/** A real certificate, made for the emulator. Its key no longer exists. */
export const CA_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBqTCCAU+gAwIBAgIUF6wmfXrc2ELybWhEEVXu+qDYc1IwCgYIKoZIzj0EAwIw
KTEnMCUGA1UEAwwebm9kZWNsb3VkIGVtdWxhdG9yIGRhdGFiYXNlIENBMCAXDTI2
MTEyMTExNTUzN1oYDzIxMjYxMDI4MTE1NTM3WjApMScwJQYDVQQDDB5ub2RlY2xv
dWQgZW11bGF0b3IgZGF0YWJhc2UgQ0EwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AAR1gJ1CVYLeVMbO+wviB/VZdC/HDO28BmRSnsgwziS8sLKgjjPXzv1iCUt4irn7
6gexGRG9tyFG+Gwn5uSE80IEo1MwUTAdBgNVHQ4EFgQUvvEUp4k7peouciDQEe1Q
Ek9JDzswHwYDVR0jBBgwFoAUvvEUp4k7peouciDQEe1QEk9JDzswDwYDVR0TAQH/
BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiAIp6ylxU6kWodqV6kym7mVeGe6H8Eo
iATSubUA0chYPAIhAJfZTsxh6ybC4XC/ChJqNBYr4B5IVT5vdS2kEPveOZv7
-----END CERTIFICATE-----
`;

import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { type Rig, everyField, lifecycle, refusals, startRig, waiting } from "../helpers/lifecycle";
import { inEachWay, type Properties } from "../helpers/plugin";

inEachWay((way) => {
  let rig: Rig;
  const disk = Buffer.alloc(300_000, "disk");
  const otherDisk = Buffer.alloc(300_000, "another disk");
  const sha256 = (data: Buffer) => createHash("sha256").update(data).digest("hex");

  beforeAll(async () => {
    rig = await startRig({ Image: "images", Node: "nodes" }, {}, way);
    rig.folder.write("disk.img", disk);
    rig.folder.write("copy.img", disk);
    rig.folder.write("other.img", otherDisk);
    rig.folder.write("packed.img.gz", gzipSync(disk));
    rig.folder.write("empty.img", "");
  });
  afterAll(() => rig.stop());

  const upload = (): Properties => ({ source: "disk.img", region: "us-east" });

  /** The disk of a new node. */
  const aDisk = async (): Promise<number> => {
    const node = rig.resource("Node");
    await node.up({ region: "us-east", type: "g6-nanode-1", image: "node/debian12" });
    const disks = (await node.live())?.["disks"] as { id: number }[];
    return disks[0]?.id ?? 0;
  };

  lifecycle(() => rig, {
    type: "Image",
    first: async () => ({ diskId: await aDisk(), label: "golden", description: "A golden image" }),
    changed: (first) => ({ ...first, label: "silver", description: "A silver image" }),
    replaced: async (first) => ({ ...first, diskId: await aDisk() }),
    ids: { unknown: "private/999999", malformed: "17" },
    different: { path: "description", value: "Another image" },
    empty: ["eol", "expiry", "vendor"],
  });

  describe("inputs", () => {
    everyField(() => rig, {
      type: "Image",
      base: upload,
      cases: {
        diskId: {
          change: "replaces",
          first: aDisk,
          then: aDisk,
          without: ["source", "region"],
          shown: null,
          required: /diskId.*source|source.*diskId/,
        },
        source: {
          change: "nothing",
          first: "disk.img",
          then: "copy.img",
          shown: null,
          required: /diskId.*source|source.*diskId/,
        },
        // Programs do not set this input: `check` computes it.
        sourceHash: null,
        region: {
          change: "replaces",
          first: "us-east",
          then: "us-west",
          shown: null,
          required: /^region is required with source/,
        },
        label: { change: "updates", first: "one", then: "two" },
        description: { change: "updates", first: "one", then: "two", removed: null },
      },
    });
  });

  refusals(() => rig, "Image", upload, [
    [
      { diskId: 1 },
      "source cannot be set together with diskId: an image is either captured or uploaded; set one of them",
    ],
    [{ region: null }, "region is required with source: it says where to upload to"],
    [{ source: null, diskId: 1 }, "region is only for uploads: an image of a disk is in its node's region"],
    [{ description: "" }, "description must not be empty"],
    [{ description: "x".repeat(65_001) }, "description must be at most 65000 characters long, not 65001"],
    [
      { nodeId: 1 },
      "nodeId is not supported: the API captures single disks, and has no operation to list the disks of a node. Set diskId",
    ],
    [
      { regions: ["us-west"] },
      "regions is not supported: the API has no operation to replicate an image. Once uploaded, it can be used in any region",
    ],
    [
      { url: "https://images.example/disk.img" },
      "url is not supported: the API does not fetch images from a URL. Download the file, and set source to its path",
    ],
    [{ diskID: 1 }, "diskID is not a property of this resource; did you mean diskId?"],
  ]);

  waiting(() => rig, { type: "Image", first: upload, during: "pending_upload", ready: "available" });
  waiting(() => rig, {
    type: "Image",
    first: async () => ({ diskId: await aDisk() }),
    during: "creating",
    ready: "available",
  });

  test.each([
    [
      "missing.img",
      /source: missing\.img cannot be read; paths are relative to the folder of the program \[NC1105\]$/,
    ],
    ["empty.img", /source: empty\.img is empty \[NC1105\]$/],
    ["node_modules", /source: node_modules is not a file \[NC1105\]$/],
  ])("an upload of %s fails before anything is created", async (source, message) => {
    await expect(rig.resource("Image").check({ ...upload(), source })).rejects.toThrow(message);
  });

  test("a raw disk is compressed during the upload", async () => {
    const image = rig.resource("Image");
    await image.up(upload());
    const live = await image.live();
    expect(live?.["upload_bytes"]).toBeLessThan(disk.length / 10);
    expect(image.outputs).toMatchObject({ sourceHash: sha256(disk), size: 1, status: "available" });
  });

  test("a compressed disk is sent unchanged", async () => {
    const packed = gzipSync(disk);
    const image = rig.resource("Image");
    await image.up({ ...upload(), source: "packed.img.gz" });
    expect(await image.live()).toMatchObject({ upload_bytes: packed.length, upload_sha256: sha256(packed) });
  });

  test("different content replaces the image, even under the same path", async () => {
    const image = rig.resource("Image");
    await image.up(upload());
    expect(await image.preview({ ...upload(), source: "other.img" })).toMatchObject({
      replaces: ["source"],
    });
    rig.folder.write("disk.img", otherDisk);
    try {
      expect(await image.preview(upload())).toMatchObject({
        ...{ changes: true, replaces: ["source"] },
        // With dynamic resources the engine itself compares the inputs of the state.
        ...(way === "plugin" ? { row: ["source"] } : {}),
      });
    } finally {
      rig.folder.write("disk.img", disk);
    }
    expect(await image.preview(upload())).toMatchObject({ changes: false });
    expect(await image.warnings()).toEqual([
      "replacing it, because the content of source changed, and the API has no operation to change it: the image is lost",
    ]);
  });

  test("setting the source of an imported image to its content uploads nothing", async () => {
    const image = rig.resource("Image");
    await image.up({ ...upload(), label: "adopted" });
    const adopted = rig.resource("Image");
    await rig.requests();
    await adopted.up({ ...upload(), label: "adopted" }, { import: image.id });
    expect(await adopted.preview({ ...upload(), label: "adopted" })).toMatchObject({ changes: false });
    const counts = await rig.requests();
    expect(Object.keys(counts).filter((operation) => !operation.startsWith("GET "))).toEqual([]);
  });

  test("an imported image without a source can get one later", async () => {
    const image = rig.resource("Image");
    await image.up({ ...upload(), label: "later" });
    const adopted = rig.resource("Image");
    await adopted.up({ label: "later" }, { import: image.id });
    expect(await adopted.preview({ ...upload(), label: "later" })).toMatchObject({ changes: false });
  });

  test("an interrupted upload keeps the image, and the next up sends the data again", async () => {
    const image = rig.resource("Image");
    await rig.emulator.control("POST", "/faults", {
      method: "PUT",
      path: "/uploads/**",
      effect: "drop-request",
    });
    await expect(image.up(upload())).rejects.toThrow(/^create Image .*: /);
    expect(image.initFailed).toBe(true);
    await rig.requests();
    expect(await image.up(upload())).toBe("updated");
    expect(Object.keys(await rig.requests()).filter((operation) => operation.startsWith("POST "))).toEqual(
      [],
    );
    expect(image.outputs["status"]).toBe("available");
    expect(JSON.stringify(image.outputs)).not.toContain("/uploads/");
  });

  test("a public image can be read and not managed", async () => {
    const { props } = await rig.resource("Image").get("node/debian12");
    expect(props).toMatchObject({ label: "Debian 12", isPublic: true, vendor: "Debian" });
  });
});

// The official JavaScript blob client against a storage connection string; prints one JSON line of what it saw.
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { BlobServiceClient } from "@azure/storage-blob";

const service = BlobServiceClient.fromConnectionString(process.env.STORAGE_CONNECTION_STRING);
const container = service.getContainerClient(process.env.STORAGE_CONTAINER);
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

async function refusal(promise) {
  try {
    await promise;
  } catch (error) {
    return { status: error.statusCode, code: error.code ?? error.details?.errorCode };
  }
  return assert.fail("expected a refusal");
}

// Containers.
assert.equal(await container.exists(), false);
assert.equal((await container.create()).errorCode, undefined);
assert.equal(await container.exists(), true);
assert.deepEqual(await refusal(container.create()), { status: 409, code: "ContainerAlreadyExists" });
const containerNames = [];
for await (const item of service.listContainers()) {
  containerNames.push(item.name);
}
assert.ok(containerNames.includes(process.env.STORAGE_CONTAINER));

// Uploads in one request (1 B, 1 MiB) and in blocks (9 MiB).
const sizes = { one: 1, mebibyte: 1024 * 1024, nine: 9 * 1024 * 1024 };
const hashes = {};
for (const [name, size] of Object.entries(sizes)) {
  const bytes = randomBytes(size);
  const blob = container.getBlockBlobClient(`sizes/${name}`);
  await blob.uploadData(bytes, { maxSingleShotSize: 4 * 1024 * 1024, blockSize: 4 * 1024 * 1024, concurrency: 2 });
  const back = await blob.downloadToBuffer();
  assert.equal(back.length, size);
  assert.equal(sha256(back), sha256(bytes));
  hashes[name] = sha256(bytes);
}

// Overwrite drops the old metadata.
const plain = container.getBlockBlobClient("plain text/ä $dollar.txt");
await plain.upload("first", 5, { metadata: { kind: "first" }, blobHTTPHeaders: { blobContentType: "text/plain" } });
const first = await plain.getProperties();
assert.equal(first.contentType, "text/plain");
assert.equal(first.metadata.kind, "first");
await plain.upload("second!", 7);
const second = await plain.getProperties();
assert.notEqual(second.etag, first.etag);
assert.deepEqual(second.metadata, {});
assert.equal(second.contentLength, 7);

// Conditions.
assert.deepEqual(await refusal(plain.upload("x", 1, { conditions: { ifNoneMatch: "*" } })), { status: 409, code: "BlobAlreadyExists" });
assert.deepEqual(await refusal(plain.upload("x", 1, { conditions: { ifMatch: first.etag } })), { status: 412, code: "ConditionNotMet" });
assert.deepEqual(await refusal(plain.setMetadata({ a: "b" }, { conditions: { ifMatch: first.etag } })), { status: 412, code: "ConditionNotMet" });
await plain.upload("third", 5, { conditions: { ifMatch: second.etag.replaceAll('"', "") } });

// Metadata, with an empty value, keeps the content.
const before = await plain.getProperties();
const set = await plain.setMetadata({ ownerid: "", offset: "12" }, { conditions: { ifMatch: before.etag } });
assert.notEqual(set.etag, before.etag);
assert.equal((await plain.downloadToBuffer()).toString(), "third");
const listed = [];
for await (const item of container.listBlobsFlat({ prefix: "plain", includeMetadata: true })) {
  listed.push(item);
}
assert.equal(listed.length, 1);
assert.equal(listed[0].name, "plain text/ä $dollar.txt");
assert.deepEqual(listed[0].metadata, { ownerid: "", offset: "12" });
assert.equal(`"${listed[0].properties.etag}"`, set.etag);
assert.equal((await refusal(container.getBlockBlobClient("absent").setMetadata({ a: "b" }))).code, "BlobNotFound");

// Pages of a list, and a list by folders.
for (let i = 0; i < 25; i++) {
  await container.getBlockBlobClient(`page/${String(i).padStart(3, "0")}`).upload("", 0);
}
const pages = [];
const names = [];
for await (const page of container.listBlobsFlat({ prefix: "page/" }).byPage({ maxPageSize: 10 })) {
  pages.push(page.segment.blobItems.length);
  names.push(...page.segment.blobItems.map((item) => item.name));
}
assert.deepEqual(pages, [10, 10, 5]);
assert.deepEqual(names, [...names].sort());
const folders = [];
for await (const item of container.listBlobsByHierarchy("/")) {
  folders.push(`${item.kind}:${item.name}`);
}
assert.deepEqual(folders, ["prefix:page/", "prefix:plain text/", "prefix:sizes/"]);

// Ranges.
const ranged = container.getBlockBlobClient("ranged");
await ranged.upload("0123456789", 10);
assert.equal((await ranged.downloadToBuffer(2, 3)).toString(), "234");
assert.equal((await refusal(ranged.download(10, 1))).status, 416);

// Deleting.
assert.equal((await plain.deleteIfExists()).succeeded, true);
assert.equal((await plain.deleteIfExists()).succeeded, false);
assert.equal(await plain.exists(), false);
assert.equal((await refusal(plain.download())).code, "BlobNotFound");
await container.delete();
assert.equal((await refusal(container.getBlockBlobClient("x").upload("", 0))).code, "ContainerNotFound");

console.log(JSON.stringify({ pages, sizes: Object.keys(hashes).length }));

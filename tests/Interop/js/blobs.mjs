// Blob Storage through the official SDK. Every flow makes a container of its own.
import { AccountSASPermissions, BlobSASPermissions, BlobServiceClient, BlockBlobClient, ContainerClient, ContainerSASPermissions, StorageSharedKeyCredential } from "@azure/storage-blob";
import assert from "node:assert/strict";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { flow, partsOf, pause, refusal, runFlows } from "./flows.mjs";

const storage = partsOf(process.env.STORAGE_CONNECTION_STRING);
const options = { retryOptions: { maxTries: 1 } };
const service = new BlobServiceClient(storage.BlobEndpoint, new StorageSharedKeyCredential(storage.AccountName, storage.AccountKey), options);

async function containerOf(cleanup) {
    const container = service.getContainerClient(`c${randomUUID()}`);
    await container.create();
    cleanup(() => container.deleteIfExists());
    return container;
}

async function blobOf(cleanup, text = "content", name = "dir/a blob+ä.txt", uploadOptions = {}) {
    const blob = (await containerOf(cleanup)).getBlockBlobClient(name);
    await blob.upload(text, Buffer.byteLength(text), uploadOptions);
    return blob;
}

async function refused(call, status, code) {
    const error = await refusal(call);
    assert.deepEqual([error.statusCode, error.code], [status, code]);
    return error;
}

const textOf = async blob => (await blob.downloadToBuffer()).toString();
const blobContainer = blob => service.getContainerClient(blob.containerName);
const md5 = text => createHash("md5").update(text).digest();
const sha256 = bytes => createHash("sha256").update(bytes).digest("hex");
const inMinutes = minutes => new Date(Date.now() + minutes * 60_000);

async function namesOf(items) {
    const names = [];
    for await (const item of items) names.push(item.name);
    return names;
}

// Containers

flow("A_container_is_created_found_listed_and_deleted", async (_, cleanup) => {
    const container = service.getContainerClient(`made-${randomUUID().slice(0, 8)}`);
    cleanup(() => container.deleteIfExists());
    assert.equal(await container.exists(), false);
    await container.create();
    assert.equal(await container.exists(), true);
    await refused(container.create(), 409, "ContainerAlreadyExists");
    assert.equal((await container.createIfNotExists()).succeeded, false);
    assert.deepEqual(await namesOf(service.listContainers({ prefix: container.containerName })), [container.containerName]);
    await container.delete();
    assert.equal(await container.exists(), false);
    await refused(container.getBlockBlobClient("x").upload("", 0), 404, "ContainerNotFound");
    assert.equal((await container.deleteIfExists()).succeeded, false);
});

flow("A_container_keeps_its_metadata", async (_, cleanup) => {
    const container = service.getContainerClient(`c${randomUUID()}`);
    await container.create({ metadata: { one: "1" } });
    cleanup(() => container.delete());
    assert.deepEqual((await container.getProperties()).metadata, { one: "1" });
    await container.setMetadata({ two: "2" });
    const properties = await container.getProperties();
    assert.deepEqual(properties.metadata, { two: "2" });
    assert.ok(properties.etag && properties.lastModified instanceof Date);
    const listed = [];
    for await (const item of service.listContainers({ prefix: container.containerName, includeMetadata: true })) listed.push(item.metadata);
    assert.deepEqual(listed, [{ two: "2" }]);
});

// Putting and reading

flow("A_blob_is_put_read_and_overwritten", async (_, cleanup) => {
    const blob = await blobOf(cleanup, "first", undefined, { metadata: { kind: "first" } });
    assert.equal(await textOf(blob), "first");
    const before = await blob.getProperties();
    await blob.upload("second!", 7);
    const after = await blob.getProperties();
    assert.equal(await textOf(blob), "second!");
    assert.deepEqual([after.contentLength, after.metadata, after.blobType], [7, {}, "BlockBlob"]);
    assert.notEqual(after.etag, before.etag);
    await blob.upload("", 0);
    assert.equal((await blob.getProperties()).contentLength, 0);
});

flow("A_download_streams_the_content_with_its_hash", async (_, cleanup) => {
    const blob = (await containerOf(cleanup)).getBlockBlobClient("stream");
    const bytes = randomBytes(3 * 1024 * 1024);
    await blob.uploadData(bytes);
    const hash = createHash("sha256");
    for await (const chunk of (await blob.download()).readableStreamBody) hash.update(chunk);
    assert.equal(hash.digest("hex"), sha256(bytes));
});

flow("A_blob_is_deleted_once", async (_, cleanup) => {
    const blob = await blobOf(cleanup);
    assert.equal((await blob.deleteIfExists()).succeeded, true);
    assert.equal((await blob.deleteIfExists()).succeeded, false);
    assert.equal(await blob.exists(), false);
    await refused(blob.delete(), 404, "BlobNotFound");
});

flow("Checksums_of_a_transfer_are_validated_and_returned", async (_, cleanup) => {
    const blob = (await containerOf(cleanup)).getBlockBlobClient("checked");
    const digits = "123456789";
    const [crc64, other] = [Buffer.from("iJh5CoYUi64=", "base64"), Buffer.alloc(8)];
    const put = await blob.upload(digits, 9);
    assert.deepEqual([Buffer.from(put.contentMD5), put._response.headers.get("x-ms-content-crc64")], [md5(digits), crc64.toString("base64")]);
    const stage = options => blob.stageBlock("AAAA", digits, 9, options);
    assert.deepEqual(Buffer.from((await stage()).xMsContentCrc64), crc64);
    assert.deepEqual(Buffer.from((await stage({ transactionalContentCrc64: crc64 })).xMsContentCrc64), crc64);
    assert.deepEqual(Buffer.from((await stage({ transactionalContentMD5: md5(digits) })).contentMD5), md5(digits));
    await refused(stage({ transactionalContentCrc64: other }), 400, "Crc64Mismatch");
    await refused(stage({ transactionalContentCrc64: Buffer.alloc(4) }), 400, "InvalidHeaderValue");
    await refused(stage({ transactionalContentMD5: md5("other") }), 400, "Md5Mismatch");
    await refused(stage({ transactionalContentMD5: Buffer.alloc(4) }), 400, "InvalidMd5");
    await refused(stage({ transactionalContentMD5: md5(digits), transactionalContentCrc64: crc64 }), 400, "BothCrc64AndMd5HeaderPresent");
    await refused(blob.upload(digits, 9, { blobHTTPHeaders: { blobContentMD5: md5("other") } }), 400, "Md5Mismatch");
});

flow("A_backslash_of_a_name_becomes_a_slash", async (_, cleanup) => {
    const blob = await blobOf(cleanup, "x", "folder\\one\\two");
    assert.deepEqual(await namesOf(blobContainer(blob).listBlobsFlat()), ["folder/one/two"]);
    assert.equal(await textOf(blob), "x");
    assert.equal(await textOf(blobContainer(blob).getBlockBlobClient("folder/one/two")), "x");
});

// Conditions

flow("A_put_obeys_its_conditions", async (_, cleanup) => {
    const blob = await blobOf(cleanup);
    const { etag } = await blob.getProperties();
    await refused(blob.upload("x", 1, { conditions: { ifNoneMatch: "*" } }), 409, "BlobAlreadyExists");
    await blob.upload("y", 1, { conditions: { ifMatch: etag.replaceAll('"', "") } });
    await refused(blob.upload("z", 1, { conditions: { ifMatch: etag } }), 412, "ConditionNotMet");
    await refused(blob.setMetadata({ a: "b" }, { conditions: { ifMatch: etag } }), 412, "ConditionNotMet");
    await refused(blob.delete({ conditions: { ifMatch: etag } }), 412, "ConditionNotMet");
    await refused(blob.upload("z", 1, { conditions: { ifUnmodifiedSince: new Date(0) } }), 412, "ConditionNotMet");
    assert.equal(await textOf(blob), "y");
});

flow("A_read_obeys_its_conditions", async (_, cleanup) => {
    const blob = await blobOf(cleanup);
    const { etag, lastModified } = await blob.getProperties();
    assert.equal((await refusal(blob.download(0, undefined, { conditions: { ifNoneMatch: etag } }))).statusCode, 304);
    await refused(blob.download(0, undefined, { conditions: { ifMatch: '"0x0"' } }), 412, "ConditionNotMet");
    assert.equal((await refusal(blob.download(0, undefined, { conditions: { ifModifiedSince: lastModified } }))).statusCode, 304);
    assert.ok((await blob.download(0, undefined, { conditions: { ifMatch: etag } })).readableStreamBody);
});

flow("A_condition_that_cannot_be_met_is_reported_by_its_code", async (_, cleanup) => {
    const blob = await blobOf(cleanup);
    const { etag } = await blob.getProperties();
    const read = conditions => blob.download(0, undefined, { conditions });
    await refused(read({ ifNoneMatch: "*" }), 400, "UnsatisfiableCondition");
    await refused(read({ ifMatch: `${etag}invalid` }), 412, "ConditionNotMet");
    await refused(blob.upload("x", 1, { conditions: { ifMatch: `${etag}invalid` } }), 412, "ConditionNotMet");
});

// Blocks

flow("Blocks_are_staged_listed_and_committed_in_the_given_order", async (_, cleanup) => {
    const blob = (await containerOf(cleanup)).getBlockBlobClient("blocks");
    const id = i => Buffer.from(String(i).padStart(4, "0")).toString("base64");
    for (let i = 0; i < 3; i++) await blob.stageBlock(id(i), `part${i};`, 6);
    assert.deepEqual((await blob.getBlockList("uncommitted")).uncommittedBlocks.map(block => block.size), [6, 6, 6]);
    assert.equal((await refusal(blob.getProperties())).statusCode, 404);
    await blob.commitBlockList([id(2), id(0)], { metadata: { a: "b" }, blobHTTPHeaders: { blobContentType: "text/plain" } });
    assert.equal(await textOf(blob), "part2;part0;");
    const list = await blob.getBlockList("all");
    assert.deepEqual(list.committedBlocks.map(block => block.name), [id(2), id(0)]);
    assert.deepEqual(list.uncommittedBlocks ?? [], []);
    assert.equal((await blob.getProperties()).contentType, "text/plain");
    await refused(blob.commitBlockList([id(9)]), 400, "InvalidBlockList");
});

flow("Blocks_of_one_blob_have_identifiers_of_one_length", async (_, cleanup) => {
    const blob = (await containerOf(cleanup)).getBlockBlobClient("blocks");
    const id = text => Buffer.from(text).toString("base64");
    await blob.stageBlock(id("blockid"), "x", 1);
    await refused(blob.stageBlock(id("blockid2"), "x", 1), 400, "InvalidBlobOrBlock");
});

flow("Blocks_that_were_never_committed_are_deleted", async (_, cleanup) => {
    const blob = (await containerOf(cleanup)).getBlockBlobClient("blocks");
    await blob.stageBlock("AAAA", "x", 1);
    await blob.delete();
    await refused(blob.getBlockList("all"), 404, "BlobNotFound");
});

flow("A_hundred_mebibytes_go_up_in_blocks_and_come_back", async (_, cleanup) => {
    const blob = (await containerOf(cleanup)).getBlockBlobClient("large");
    const bytes = Buffer.alloc(100 * 1024 * 1024, randomBytes(64 * 1024 + 7));
    await blob.uploadData(bytes, { maxSingleShotSize: 4 * 1024 * 1024, blockSize: 8 * 1024 * 1024, concurrency: 4 });
    const back = Buffer.alloc(bytes.length);
    await blob.downloadToBuffer(back, 0, undefined, { blockSize: 8 * 1024 * 1024, concurrency: 4 });
    assert.equal(sha256(back), sha256(bytes));
}, { seconds: 90 });

// Ranges, metadata, properties

flow("A_range_is_read", async (_, cleanup) => {
    const blob = await blobOf(cleanup, "0123456789");
    assert.equal((await blob.downloadToBuffer(2, 3)).toString(), "234");
    const answer = await blob.download(4);
    assert.deepEqual([answer.contentLength, answer.contentRange], [6, "bytes 4-9/10"]);
    await refused(blob.download(10, 1), 416, "InvalidRange");
});

flow("Metadata_is_written_without_touching_the_content", async (_, cleanup) => {
    const blob = await blobOf(cleanup, "kept");
    const before = await blob.getProperties();
    const { etag } = await blob.setMetadata({ ownerid: "", offset: "12" });
    assert.notEqual(etag, before.etag);
    assert.equal(await textOf(blob), "kept");
    const [item] = (await blobContainer(blob).listBlobsFlat({ includeMetadata: true }).byPage().next()).value.segment.blobItems;
    assert.deepEqual(item.metadata, { ownerid: "", offset: "12" });
    assert.equal(`"${item.properties.etag}"`, etag);
});

flow("Headers_of_the_content_are_kept", async (_, cleanup) => {
    const headers = { blobContentType: "text/css", blobCacheControl: "max-age=5", blobContentEncoding: "br", blobContentLanguage: "de", blobContentDisposition: "inline" };
    const blob = await blobOf(cleanup, "x", "headers", { blobHTTPHeaders: headers });
    const check = async expected => {
        const properties = await blob.getProperties();
        assert.deepEqual([properties.contentType, properties.cacheControl, properties.contentEncoding, properties.contentLanguage, properties.contentDisposition], expected);
    };
    await check(["text/css", "max-age=5", "br", "de", "inline"]);
    await blob.setHTTPHeaders({ blobContentType: "text/plain" });
    await check(["text/plain", undefined, undefined, undefined, undefined]);
    await blob.setHTTPHeaders({});
    await check([undefined, undefined, undefined, undefined, undefined]);
});

flow("The_access_tier_is_reported", async (_, cleanup) => {
    const blob = await blobOf(cleanup);
    const properties = await blob.getProperties();
    const [item] = (await blobContainer(blob).listBlobsFlat().byPage().next()).value.segment.blobItems;
    for (const told of [properties, item.properties]) assert.deepEqual([told.accessTier, told.accessTierInferred], ["Hot", true]);
});

// Leases

flow("A_lease_keeps_others_from_writing", async (_, cleanup) => {
    const blob = await blobOf(cleanup);
    const lease = blob.getBlobLeaseClient();
    await lease.acquireLease(15);
    assert.equal((await blob.getProperties()).leaseState, "leased");
    await refused(blob.upload("x", 1), 412, "LeaseIdMissing");
    await refused(blob.delete(), 412, "LeaseIdMissing");
    await refused(blob.upload("x", 1, { conditions: { leaseId: randomUUID() } }), 412, "LeaseIdMismatchWithBlobOperation");
    await refused(blob.getBlobLeaseClient(randomUUID()).acquireLease(15), 409, "LeaseAlreadyPresent");
    await blob.upload("mine", 4, { conditions: { leaseId: lease.leaseId } });
    await lease.renewLease();
    await lease.changeLease(randomUUID());
    await blob.setMetadata({ a: "b" }, { conditions: { leaseId: lease.leaseId } });
    await lease.releaseLease();
    await blob.upload("free", 4);
    assert.equal((await blob.getProperties()).leaseState, "available");
});

flow("A_lease_is_broken_and_ends_by_itself", async (_, cleanup) => {
    const blob = await blobOf(cleanup);
    const lease = blob.getBlobLeaseClient();
    await lease.acquireLease(-1);
    assert.equal((await blob.getProperties()).leaseDuration, "infinite");
    await lease.breakLease(0);
    assert.equal((await blob.getProperties()).leaseState, "broken");
    await blob.upload("free", 4);
    await blob.getBlobLeaseClient().acquireLease(15);
    await pause(15_500);
    assert.equal((await blob.getProperties()).leaseState, "expired");
    await blob.upload("free again", 10);
});

flow("A_leased_container_is_not_deleted", async (_, cleanup) => {
    const container = await containerOf(cleanup);
    const lease = container.getBlobLeaseClient();
    await lease.acquireLease(15);
    await refused(container.delete(), 412, "LeaseIdMissing");
    await container.delete({ conditions: { leaseId: lease.leaseId } });
});

// Lists

flow("A_list_comes_in_pages_and_in_order", async (_, cleanup) => {
    const container = await containerOf(cleanup);
    const expected = Array.from({ length: 25 }, (_, i) => `page/${String(i).padStart(3, "0")}`);
    await Promise.all([...expected, "other"].map(name => container.getBlockBlobClient(name).upload("", 0)));
    const pages = [];
    const names = [];
    for await (const page of container.listBlobsFlat({ prefix: "page/" }).byPage({ maxPageSize: 10 })) {
        pages.push(page.segment.blobItems.length);
        names.push(...page.segment.blobItems.map(item => item.name));
    }
    assert.deepEqual(pages, [10, 10, 5]);
    assert.deepEqual(names, expected);
});

flow("A_list_by_folders_shows_each_folder_once", async (_, cleanup) => {
    const container = await containerOf(cleanup);
    for (const name of ["a/1", "a/2", "b/c/3", "root"]) await container.getBlockBlobClient(name).upload("", 0);
    const items = async prefix => {
        const list = [];
        for await (const item of container.listBlobsByHierarchy("/", { prefix })) list.push(`${item.kind}:${item.name}`);
        return list;
    };
    assert.deepEqual((await items(undefined)).sort(), ["blob:root", "prefix:a/", "prefix:b/"]);
    assert.deepEqual(await items("a/"), ["blob:a/1", "blob:a/2"]);
    assert.deepEqual(await items("b/"), ["prefix:b/c/"]);
});

flow("Names_that_XML_cannot_show_are_listed", async (_, cleanup) => {
    const container = await containerOf(cleanup);
    const expected = ["a/\ufffe b%20", "a/\uffff", "\uffff/x"];
    for (const name of expected) await container.getBlockBlobClient(name).upload("", 0);
    assert.deepEqual(await namesOf(container.listBlobsFlat()), expected);
    assert.deepEqual(await namesOf(container.listBlobsByHierarchy("/")), ["a/", "\uffff/"]);
    for (const name of expected) assert.equal(await container.getBlockBlobClient(name).exists(), true);
});

// Copies

flow("A_blob_is_copied_within_the_account", async (_, cleanup) => {
    const source = await blobOf(cleanup, "copy me", "source", { metadata: { m: "1" }, blobHTTPHeaders: { blobContentType: "text/plain" } });
    const target = (await containerOf(cleanup)).getBlockBlobClient("target");
    const result = await (await target.beginCopyFromURL(source.url)).pollUntilDone();
    assert.equal(result.copyStatus, "success");
    const properties = await target.getProperties();
    assert.equal(await textOf(target), "copy me");
    assert.deepEqual([properties.metadata, properties.contentType, properties.copyStatus], [{ m: "1" }, "text/plain", "success"]);
    assert.equal((await refusal(target.beginCopyFromURL(`${source.url}-absent`))).statusCode, 404);
});

flow("A_copy_of_a_signed_source_is_complete_immediately", async (_, cleanup) => {
    const source = await blobOf(cleanup, "copy me", "source");
    const url = await source.generateSasUrl({ permissions: BlobSASPermissions.parse("r"), expiresOn: inMinutes(5) });
    const target = blobContainer(source).getBlockBlobClient("target");
    assert.equal((await target.syncCopyFromURL(url)).copyStatus, "success");
    assert.equal(await textOf(target), "copy me");
});

flow("A_copy_is_held_to_the_hash_of_its_source_and_to_what_it_replaces", async (_, cleanup) => {
    const source = await blobOf(cleanup, "copy me", "source");
    const url = await source.generateSasUrl({ permissions: BlobSASPermissions.parse("r"), expiresOn: inMinutes(5) });
    const target = blobContainer(source).getBlockBlobClient("target");
    const ways = [
        options => target.syncUploadFromURL(url, options),
        options => target.syncCopyFromURL(url, options),
        options => target.stageBlockFromURL("AAAA", url, 0, 7, options),
    ];
    for (const copy of ways) {
        assert.deepEqual(Buffer.from((await copy({ sourceContentMD5: md5("copy me") })).contentMD5), md5("copy me"));
        await refused(copy({ sourceContentMD5: md5("other") }), 400, "Md5Mismatch");
    }
    for (const copy of ways.slice(0, 2)) await refused(copy({ conditions: { ifMatch: '"0x0"' } }), 412, "TargetConditionNotMet");
});

// Shared access signatures

flow("A_signed_link_reads_and_nothing_else", async (_, cleanup) => {
    const blob = await blobOf(cleanup, "shared");
    const link = new BlockBlobClient(await blob.generateSasUrl({ permissions: BlobSASPermissions.parse("r"), expiresOn: inMinutes(5) }), undefined, options);
    assert.equal(await textOf(link), "shared");
    await refused(link.upload("x", 1), 403, "AuthorizationPermissionMismatch");
    const other = new BlockBlobClient(link.url.replace("dir", "dis"), undefined, options);
    assert.equal((await refusal(other.download())).statusCode, 403);
});

flow("An_expired_or_forged_link_is_refused", async (_, cleanup) => {
    const blob = await blobOf(cleanup);
    const urlOf = minutes => blob.generateSasUrl({ permissions: BlobSASPermissions.parse("r"), startsOn: inMinutes(-60), expiresOn: inMinutes(minutes) });
    for (const url of [await urlOf(-5), (await urlOf(5)).replace(/sig=[^&]+/, `sig=${encodeURIComponent(randomBytes(32).toString("base64"))}`)]) {
        await refused(new BlockBlobClient(url, undefined, options).download(), 403, "AuthenticationFailed");
    }
});

flow("A_link_to_a_container_writes_and_lists", async (_, cleanup) => {
    const container = await containerOf(cleanup);
    const link = new ContainerClient(await container.generateSasUrl({ permissions: ContainerSASPermissions.parse("cwl"), expiresOn: inMinutes(5) }), undefined, options);
    await link.getBlockBlobClient("by-link").upload("x", 1);
    assert.deepEqual(await namesOf(link.listBlobsFlat()), ["by-link"]);
    assert.equal((await refusal(link.getBlockBlobClient("by-link").delete())).statusCode, 403);
});

flow("A_link_to_the_account_lists_its_containers_and_nothing_else", async (_, cleanup) => {
    const container = await containerOf(cleanup);
    const link = new BlobServiceClient(await service.generateAccountSasUrl(inMinutes(5), AccountSASPermissions.parse("l"), "s"), undefined, options);
    assert.deepEqual(await namesOf(link.listContainers({ prefix: container.containerName })), [container.containerName]);
    assert.equal((await refusal(link.getContainerClient(container.containerName).getBlockBlobClient("x").upload("", 0))).statusCode, 403);
});

// Errors

flow("An_absent_blob_is_reported_by_its_code", async (_, cleanup) => {
    const blob = (await containerOf(cleanup)).getBlockBlobClient("absent");
    await refused(blob.download(), 404, "BlobNotFound");
    await refused(blob.setMetadata({ a: "b" }), 404, "BlobNotFound");
    assert.equal((await refusal(blob.getProperties())).statusCode, 404);
});

flow("A_name_of_the_wrong_length_is_reported_by_its_code", async (_, cleanup) => {
    await refused(service.getContainerClient("ab").create(), 400, "OutOfRangeInput");
    await refused((await containerOf(cleanup)).getBlockBlobClient("n".repeat(1025)).upload("", 0), 400, "OutOfRangeInput");
});

flow("A_wrong_key_is_refused", async (_, cleanup) => {
    const container = await containerOf(cleanup);
    const stranger = new BlobServiceClient(storage.BlobEndpoint, new StorageSharedKeyCredential(storage.AccountName, Buffer.alloc(64, 1).toString("base64")), options);
    await refused(stranger.getContainerClient(container.containerName).getBlockBlobClient("x").upload("", 0), 403, "AuthenticationFailed");
});

await runFlows();

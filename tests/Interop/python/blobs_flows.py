"""Blob Storage through the official SDK. Every flow has a container of its own."""
import base64
import hashlib
import os
import uuid
from datetime import datetime, timedelta, timezone

from azure.core import MatchConditions
from azure.core.exceptions import ClientAuthenticationError, HttpResponseError, ResourceExistsError, ResourceNotFoundError
from azure.storage.blob import (
    AccountSasPermissions, BlobBlock, BlobClient, BlobSasPermissions, BlobServiceClient, ContainerClient, ContainerSasPermissions,
    ContentSettings, ResourceTypes, aio, generate_account_sas, generate_blob_sas, generate_container_sas)
from flows import equal, flow, parts_of, refusal, run_flows

CONNECTION = os.environ["STORAGE_CONNECTION_STRING"]
PARTS = parts_of(CONNECTION)
ACCOUNT, KEY, ENDPOINT = PARTS["AccountName"], PARTS["AccountKey"], PARTS["BlobEndpoint"]
ONCE = {"retry_total": 0}
SERVICE = BlobServiceClient.from_connection_string(CONNECTION, **ONCE)


def container_of(opened, **options):
    container = SERVICE.create_container(f"c{uuid.uuid4()}", **options)
    opened.callback(container.delete_container)
    return container


def blob_of(opened, content="content", name="dir/blob", **options):
    blob = container_of(opened).get_blob_client(name)
    blob.upload_blob(content, **options)
    return blob


def text_of(blob, **options):
    return blob.download_blob(**options).readall().decode()


def refused(status, code, call, *arguments, **keywords):
    error = refusal(call, *arguments, **keywords)
    assert isinstance(error, HttpResponseError), repr(error)
    equal((error.status_code, error.error_code), (status, code))


def names(items):
    return [item.name for item in items]


def in_minutes(minutes):
    return datetime.now(timezone.utc) + timedelta(minutes=minutes)


# Containers

@flow
def a_container_is_created_found_listed_and_deleted(_, opened):
    container = SERVICE.create_container(f"c{uuid.uuid4()}")
    refused(409, "ContainerAlreadyExists", container.create_container)
    equal(names(SERVICE.list_containers(name_starts_with=container.container_name)), [container.container_name])
    container.delete_container()
    equal(container.exists(), False)
    refused(404, "ContainerNotFound", container.upload_blob, "x", "")


@flow
def a_container_keeps_its_metadata(_, opened):
    container = container_of(opened, metadata={"one": "1"})
    equal(container.get_container_properties().metadata, {"one": "1"})
    container.set_container_metadata({"two": "2"})
    listed, = SERVICE.list_containers(name_starts_with=container.container_name, include_metadata=True)
    equal(listed.metadata, {"two": "2"})


# Putting and reading

@flow
def a_blob_is_put_read_and_overwritten(_, opened):
    blob = blob_of(opened, "first", metadata={"kind": "first"})
    before = blob.get_blob_properties()
    blob.upload_blob("second!", overwrite=True)
    after = blob.get_blob_properties()
    equal((text_of(blob), after.size, after.metadata, after.blob_type), ("second!", 7, {}, "BlockBlob"))
    assert after.etag != before.etag
    blob.upload_blob("", overwrite=True)
    equal(blob.get_blob_properties().size, 0)


@flow
def a_download_streams_the_content_in_chunks(_, opened):
    content = os.urandom(3 * 1024 * 1024)
    blob = container_of(opened).get_blob_client("stream")
    blob.upload_blob(content)
    reader = BlobClient.from_connection_string(
        CONNECTION, blob.container_name, blob.blob_name, max_single_get_size=1024 * 1024, max_chunk_get_size=1024 * 1024)
    chunks = list(reader.download_blob().chunks())
    equal((len(chunks), b"".join(chunks) == content), (3, True))


@flow
async def an_asynchronous_client_puts_and_reads(_, opened):
    name = container_of(opened).container_name
    async with aio.BlobClient.from_connection_string(CONNECTION, name, "async") as blob:
        await blob.upload_blob("hello")
        equal(await (await blob.download_blob()).readall(), b"hello")


@flow
def a_blob_is_deleted_once(_, opened):
    blob = blob_of(opened)
    blob.delete_blob()
    equal(blob.exists(), False)
    refused(404, "BlobNotFound", blob.delete_blob)


@flow
def checksums_of_a_transfer_are_validated_and_returned(_, opened):
    blob = container_of(opened).get_blob_client("checked")
    digest = bytearray(hashlib.md5(b"123456789").digest())
    equal(blob.upload_blob("123456789")["content_md5"], digest)
    plain = blob.stage_block("AAAA", "123456789")
    equal((plain.get("content_md5"), plain["content_crc64"]), (None, bytearray(base64.b64decode("iJh5CoYUi64="))))
    equal(blob.stage_block("AAAA", "123456789", validate_content=True)["content_md5"], digest)
    wrong = ContentSettings(content_md5=bytearray(16))
    refused(400, "Md5Mismatch", blob.upload_blob, "123456789", overwrite=True, content_settings=wrong)


@flow
def a_backslash_of_a_name_becomes_a_slash(_, opened):
    blob = blob_of(opened, "x", "folder\\one\\two")
    container = SERVICE.get_container_client(blob.container_name)
    equal((names(container.list_blobs()), text_of(blob)), (["folder/one/two"], "x"))


# Conditions

@flow
def a_put_obeys_its_conditions(_, opened):
    blob = blob_of(opened)
    etag = blob.get_blob_properties().etag
    unmodified = {"etag": etag, "match_condition": MatchConditions.IfNotModified}
    assert isinstance(refusal(blob.upload_blob, "x"), ResourceExistsError)
    blob.upload_blob("y", overwrite=True, **unmodified)
    refused(412, "ConditionNotMet", blob.upload_blob, "z", overwrite=True, **unmodified)
    refused(412, "ConditionNotMet", blob.set_blob_metadata, {"a": "b"}, **unmodified)
    refused(412, "ConditionNotMet", blob.delete_blob, **unmodified)
    refused(412, "ConditionNotMet", blob.set_blob_metadata, {"a": "b"}, if_unmodified_since=datetime(2000, 1, 1, tzinfo=timezone.utc))
    equal(text_of(blob), "y")


@flow
def a_read_obeys_its_conditions(_, opened):
    blob = blob_of(opened)
    properties = blob.get_blob_properties()
    same = {"etag": properties.etag, "match_condition": MatchConditions.IfNotModified}
    changed = {"etag": properties.etag, "match_condition": MatchConditions.IfModified}
    equal(text_of(blob, **same), "content")
    equal(refusal(blob.download_blob, **changed).status_code, 304)
    equal(refusal(blob.download_blob, if_modified_since=properties.last_modified).status_code, 304)
    refused(412, "ConditionNotMet", blob.download_blob, etag='"0x0"', match_condition=MatchConditions.IfNotModified)


@flow
def a_condition_that_cannot_be_met_is_reported_by_its_code(_, opened):
    blob = blob_of(opened)
    etag = blob.get_blob_properties().etag
    refused(400, "UnsatisfiableCondition", blob.download_blob, match_condition=MatchConditions.IfMissing)
    refused(400, "UnsatisfiableCondition", blob.get_blob_properties, match_condition=MatchConditions.IfMissing)
    refused(412, "ConditionNotMet", blob.download_blob, etag=f"{etag}invalid", match_condition=MatchConditions.IfNotModified)


# Blocks

@flow
def blocks_are_staged_listed_and_committed_in_the_given_order(_, opened):
    blob = container_of(opened).get_blob_client("blocks")
    ids = [f"{i:04}" for i in range(3)]
    for i, block in enumerate(ids):
        blob.stage_block(block, f"part{i};")
    committed, uncommitted = blob.get_block_list("all")
    equal((committed, [block.size for block in uncommitted]), ([], [6, 6, 6]))
    equal(blob.exists(), False)
    blob.commit_block_list([BlobBlock(ids[2]), BlobBlock(ids[0])], content_settings=ContentSettings(content_type="text/plain"), metadata={"a": "b"})
    equal((text_of(blob), blob.get_blob_properties().content_settings.content_type), ("part2;part0;", "text/plain"))
    committed, uncommitted = blob.get_block_list("all")
    equal(([block.id for block in committed], uncommitted), ([ids[2], ids[0]], []))
    refused(400, "InvalidBlockList", blob.commit_block_list, [BlobBlock("0009")])


@flow
def blocks_of_one_blob_have_identifiers_of_one_length(_, opened):
    blob = container_of(opened).get_blob_client("blocks")
    blob.stage_block("blockid", "x")
    refused(400, "InvalidBlobOrBlock", blob.stage_block, "blockid2", "x")


@flow
def blocks_that_were_never_committed_are_deleted(_, opened):
    blob = container_of(opened).get_blob_client("blocks")
    blob.stage_block("AAAA", "x")
    blob.delete_blob()
    refused(404, "BlobNotFound", blob.get_block_list, "all")


@flow(seconds=60)
def a_hundred_mebibytes_go_up_in_blocks_and_come_back(_, opened):
    container = container_of(opened)
    size = 8 * 1024 * 1024
    blob = BlobClient.from_connection_string(
        CONNECTION, container.container_name, "large",
        max_single_put_size=size, max_block_size=size, max_single_get_size=size, max_chunk_get_size=size)
    content = os.urandom(64 * 1024 + 7) * 1600
    blob.upload_blob(content[:100 * 1024 * 1024], max_concurrency=4)
    back = blob.download_blob(max_concurrency=4).readall()
    equal(hashlib.sha256(back).digest() == hashlib.sha256(content[:100 * 1024 * 1024]).digest(), True)


# Ranges, metadata, headers

@flow
def a_range_is_read(_, opened):
    blob = blob_of(opened, "0123456789")
    equal(text_of(blob, offset=2, length=3), "234")
    equal(text_of(blob, offset=4), "456789")
    refused(416, "InvalidRange", blob.download_blob, offset=10, length=1)


@flow
def metadata_is_written_without_touching_the_content(_, opened):
    blob = blob_of(opened, "kept")
    before = blob.get_blob_properties().etag
    after = blob.set_blob_metadata({"ownerid": "", "offset": "12"})["etag"]
    assert after != before
    equal(text_of(blob), "kept")
    container = SERVICE.get_container_client(blob.container_name)
    listed, = container.list_blobs(include=["metadata"])
    equal((listed.metadata, f'"{listed.etag}"'), ({"ownerid": None, "offset": "12"}, after))  # an empty element is None to the SDK


@flow
def headers_of_the_content_are_kept(_, opened):
    settings = {
        "content_type": "text/css", "cache_control": "max-age=5", "content_encoding": "br", "content_language": "de", "content_disposition": "inline",
    }
    blob = blob_of(opened, "x", content_settings=ContentSettings(**settings))

    def found():
        properties = blob.get_blob_properties().content_settings
        return {name: properties[name] for name in settings}

    equal(found(), settings)
    blob.set_http_headers(ContentSettings(content_type="text/plain"))
    equal(found(), {**dict.fromkeys(settings), "content_type": "text/plain"})
    blob.set_http_headers(ContentSettings())
    equal(found(), dict.fromkeys(settings))


@flow
def the_access_tier_is_reported(_, opened):
    blob = blob_of(opened)
    listed, = SERVICE.get_container_client(blob.container_name).list_blobs()
    properties = blob.get_blob_properties()
    equal([(told.blob_tier, told.blob_tier_inferred) for told in (properties, listed)], [("Hot", True), ("Hot", True)])


# Leases

@flow
def a_lease_keeps_others_from_writing(_, opened):
    blob = blob_of(opened)
    lease = blob.acquire_lease(15)
    equal(blob.get_blob_properties().lease.state, "leased")
    refused(412, "LeaseIdMissing", blob.upload_blob, "x", overwrite=True)
    refused(412, "LeaseIdMismatchWithBlobOperation", blob.upload_blob, "x", overwrite=True, lease=str(uuid.uuid4()))
    refused(409, "LeaseAlreadyPresent", blob.acquire_lease, 15)
    blob.upload_blob("mine", overwrite=True, lease=lease)
    lease.renew()
    lease.change(str(uuid.uuid4()))
    blob.set_blob_metadata({"a": "b"}, lease=lease)
    lease.release()
    blob.upload_blob("free", overwrite=True)
    equal(blob.get_blob_properties().lease.state, "available")


@flow
def a_lease_is_broken(_, opened):
    blob = blob_of(opened)
    lease = blob.acquire_lease(-1)
    equal(blob.get_blob_properties().lease.duration, "infinite")
    lease.break_lease(0)
    equal(blob.get_blob_properties().lease.state, "broken")
    blob.upload_blob("free", overwrite=True)


@flow
def a_leased_container_is_not_deleted(_, opened):
    container = SERVICE.create_container(f"c{uuid.uuid4()}")
    lease = container.acquire_lease(15)
    refused(412, "LeaseIdMissing", container.delete_container)
    container.delete_container(lease=lease)


# Lists and copies

@flow
def a_list_comes_in_pages_and_in_order(_, opened):
    container = container_of(opened)
    expected = [f"page/{i:03}" for i in range(25)]
    for name in [*expected, "other"]:
        container.upload_blob(name, "")
    pages = [names(page) for page in container.list_blobs(name_starts_with="page/", results_per_page=10).by_page()]
    equal(([len(page) for page in pages], sum(pages, [])), ([10, 10, 5], expected))


@flow
def a_list_by_folders_shows_each_folder_once(_, opened):
    container = container_of(opened)
    for name in ("a/1", "a/2", "b/c/3", "root"):
        container.upload_blob(name, "")
    equal(names(container.walk_blobs()), ["a/", "b/", "root"])
    equal(names(container.walk_blobs("a/")), ["a/1", "a/2"])
    equal(names(container.walk_blobs("b/")), ["b/c/"])


@flow
def names_that_XML_cannot_show_are_listed(_, opened):
    container = container_of(opened)
    expected = ["a/\ufffe b%20", "a/\uffff", "\uffff/x"]
    for name in expected:
        container.upload_blob(name, "")
    equal((names(container.list_blobs()), names(container.walk_blobs())), (expected, ["a/", "\uffff/"]))


@flow
def a_blob_is_copied_within_the_account(_, opened):
    source = blob_of(opened, "copy me", metadata={"m": "1"}, content_settings=ContentSettings(content_type="text/plain"))
    target = container_of(opened).get_blob_client("target")
    equal(target.start_copy_from_url(source.url)["copy_status"], "success")
    properties = target.get_blob_properties()
    equal((text_of(target), properties.metadata, properties.content_settings.content_type, properties.copy.status), ("copy me", {"m": "1"}, "text/plain", "success"))
    assert isinstance(refusal(target.start_copy_from_url, source.url + "-absent"), ResourceNotFoundError)


@flow
def a_copy_is_held_to_the_hash_of_its_source_and_to_what_it_replaces(_, opened):
    source = blob_of(opened, "copy me")
    url = link_to(source, permission=BlobSasPermissions(read=True))
    target = SERVICE.get_blob_client(source.container_name, "target")
    digest = bytearray(hashlib.md5(b"copy me").digest())
    equal(target.upload_blob_from_url(url, source_content_md5=digest)["content_md5"], digest)
    equal(target.stage_block_from_url("AAAA", url, source_content_md5=digest)["content_md5"], digest)
    refused(400, "Md5Mismatch", target.upload_blob_from_url, url, overwrite=True, source_content_md5=bytearray(16))
    refused(400, "Md5Mismatch", target.stage_block_from_url, "AAAA", url, source_content_md5=bytearray(16))
    unmet = {"overwrite": True, "etag": "0x0", "match_condition": MatchConditions.IfNotModified}
    refused(412, "TargetConditionNotMet", target.upload_blob_from_url, url, **unmet)


# Shared access signatures

def link_to(blob, minutes=5, **options):
    token = generate_blob_sas(ACCOUNT, blob.container_name, blob.blob_name, account_key=KEY, expiry=in_minutes(minutes), **options)
    return f"{blob.url}?{token}"


@flow
def a_signed_link_reads_and_nothing_else(_, opened):
    url = link_to(blob_of(opened, "shared"), permission=BlobSasPermissions(read=True))
    link = BlobClient.from_blob_url(url, **ONCE)
    equal(text_of(link), "shared")
    refused(403, "AuthorizationPermissionMismatch", link.upload_blob, "x", overwrite=True)
    equal(refusal(BlobClient.from_blob_url(url.replace("dir", "dis"), **ONCE).download_blob).status_code, 403)


@flow
def an_expired_or_forged_link_is_refused(_, opened):
    blob = blob_of(opened)
    expired = link_to(blob, -5, permission=BlobSasPermissions(read=True), start=in_minutes(-60))
    good = link_to(blob, 5, permission=BlobSasPermissions(read=True))
    forged = f"{good[:good.index('sig=')]}sig={base64.urlsafe_b64encode(bytes(32)).decode()}"
    for url in (expired, forged):
        error = refusal(BlobClient.from_blob_url(url, **ONCE).download_blob)
        assert isinstance(error, ClientAuthenticationError), repr(error)
        equal(error.error_code, "AuthenticationFailed")


@flow
def a_link_to_a_container_writes_and_lists(_, opened):
    container = container_of(opened)
    token = generate_container_sas(
        ACCOUNT, container.container_name, account_key=KEY, expiry=in_minutes(5), permission=ContainerSasPermissions(write=True, list=True))
    link = ContainerClient.from_container_url(f"{container.url}?{token}", **ONCE)
    link.upload_blob("by-link", "x")
    equal(names(link.list_blobs()), ["by-link"])
    equal(refusal(link.delete_blob, "by-link").status_code, 403)


@flow
def a_link_to_the_account_lists_its_containers_and_nothing_else(_, opened):
    container = container_of(opened)
    token = generate_account_sas(ACCOUNT, KEY, ResourceTypes(service=True), AccountSasPermissions(list=True), in_minutes(5))
    link = BlobServiceClient(ENDPOINT, credential=token, **ONCE)
    equal(names(link.list_containers(name_starts_with=container.container_name)), [container.container_name])
    equal(refusal(link.get_blob_client(container.container_name, "x").upload_blob, "").status_code, 403)


# Errors

@flow
def an_absent_blob_is_reported_by_its_code(_, opened):
    blob = container_of(opened).get_blob_client("absent")
    refused(404, "BlobNotFound", blob.download_blob)
    refused(404, "BlobNotFound", blob.set_blob_metadata, {"a": "b"})
    assert isinstance(refusal(blob.get_blob_properties), ResourceNotFoundError)


@flow
def a_name_of_the_wrong_length_is_reported_by_its_code(_, opened):
    refused(400, "OutOfRangeInput", SERVICE.create_container, "ab")
    refused(400, "OutOfRangeInput", container_of(opened).upload_blob, "n" * 1025, "")


@flow
def a_wrong_key_is_refused(_, opened):
    container = container_of(opened)
    stranger = BlobServiceClient(ENDPOINT, credential={"account_name": ACCOUNT, "account_key": base64.b64encode(bytes(64)).decode()}, **ONCE)
    refused(403, "AuthenticationFailed", stranger.get_blob_client(container.container_name, "x").upload_blob, "")


run_flows()

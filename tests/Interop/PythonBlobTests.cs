using EventHubThroughput.Emulator.Entities;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>The official Python SDK for Blob Storage, unchanged. The flows are in python/blobs_flows.py.</summary>
public sealed class PythonBlobTests(FlowRuns runs) : FlowTests(runs, Group)
{
    internal static FlowGroup Group { get; } =
        new(
            typeof(PythonBlobTests),
            FlowClient.Python,
            static (_, cancellationToken) => PythonScript.RunSdkAsync("blobs_flows.py", EntitySet.Default, cancellationToken)
        );

    [Fact, Feature(Features.Containers)]
    public Task A_container_is_created_found_listed_and_deleted() => PassesAsync();

    [Fact, Feature(Features.Containers)]
    public Task A_container_keeps_its_metadata() => PassesAsync();

    [Fact, Feature(Features.PutBlob)]
    public Task A_blob_is_put_read_and_overwritten() => PassesAsync();

    [Fact, Feature(Features.PutBlob)]
    public Task A_download_streams_the_content_in_chunks() => PassesAsync();

    [Fact, Feature(Features.PutBlob)]
    public Task An_asynchronous_client_puts_and_reads() => PassesAsync();

    [Fact, Feature(Features.PutBlob)]
    public Task A_blob_is_deleted_once() => PassesAsync();

    [Fact, Feature(Features.PutBlob)]
    public Task Checksums_of_a_transfer_are_validated_and_returned() => PassesAsync();

    [Fact, Feature(Features.PutBlob)]
    public Task A_backslash_of_a_name_becomes_a_slash() => PassesAsync();

    [Fact, Feature(Features.BlobConditions)]
    public Task A_put_obeys_its_conditions() => PassesAsync();

    [Fact, Feature(Features.BlobConditions)]
    public Task A_read_obeys_its_conditions() => PassesAsync();

    [Fact, Feature(Features.BlobConditions)]
    public Task A_condition_that_cannot_be_met_is_reported_by_its_code() => PassesAsync();

    [Fact, Feature(Features.Blocks)]
    public Task Blocks_are_staged_listed_and_committed_in_the_given_order() => PassesAsync();

    [Fact, Feature(Features.Blocks)]
    public Task Blocks_of_one_blob_have_identifiers_of_one_length() => PassesAsync();

    [Fact, Feature(Features.Blocks)]
    public Task Blocks_that_were_never_committed_are_deleted() => PassesAsync();

    [Fact, Feature(Features.Blocks)]
    public Task A_hundred_mebibytes_go_up_in_blocks_and_come_back() => PassesAsync();

    [Fact, Feature(Features.Ranges)]
    public Task A_range_is_read() => PassesAsync();

    [Fact, Feature(Features.BlobProperties)]
    public Task Metadata_is_written_without_touching_the_content() => PassesAsync();

    [Fact, Feature(Features.BlobProperties)]
    public Task Headers_of_the_content_are_kept() => PassesAsync();

    [Fact, Feature(Features.BlobProperties)]
    public Task The_access_tier_is_reported() => PassesAsync();

    [Fact, Feature(Features.Leases)]
    public Task A_lease_keeps_others_from_writing() => PassesAsync();

    [Fact, Feature(Features.Leases)]
    public Task A_lease_is_broken() => PassesAsync();

    [Fact, Feature(Features.Leases)]
    public Task A_leased_container_is_not_deleted() => PassesAsync();

    [Fact, Feature(Features.Lists)]
    public Task A_list_comes_in_pages_and_in_order() => PassesAsync();

    [Fact, Feature(Features.Lists)]
    public Task A_list_by_folders_shows_each_folder_once() => PassesAsync();

    [Fact, Feature(Features.Lists)]
    public Task Names_that_XML_cannot_show_are_listed() => PassesAsync();

    [Fact, Feature(Features.Copies)]
    public Task A_blob_is_copied_within_the_account() => PassesAsync();

    [Fact, Feature(Features.Copies)]
    public Task A_copy_is_held_to_the_hash_of_its_source_and_to_what_it_replaces() => PassesAsync();

    [Fact, Feature(Features.SharedAccess)]
    public Task A_signed_link_reads_and_nothing_else() => PassesAsync();

    [Fact, Feature(Features.SharedAccess)]
    public Task An_expired_or_forged_link_is_refused() => PassesAsync();

    [Fact, Feature(Features.SharedAccess)]
    public Task A_link_to_a_container_writes_and_lists() => PassesAsync();

    [Fact, Feature(Features.SharedAccess)]
    public Task A_link_to_the_account_lists_its_containers_and_nothing_else() => PassesAsync();

    [Fact, Feature(Features.BlobErrors)]
    public Task An_absent_blob_is_reported_by_its_code() => PassesAsync();

    [Fact, Feature(Features.BlobErrors)]
    public Task A_name_of_the_wrong_length_is_reported_by_its_code() => PassesAsync();

    [Fact, Feature(Features.BlobErrors)]
    public Task A_wrong_key_is_refused() => PassesAsync();
}

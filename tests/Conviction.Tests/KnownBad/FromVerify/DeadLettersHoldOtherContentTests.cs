using System.Globalization;
using System.Text;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Processing.Sinks;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad.FromVerify;

/// <summary>Stores a dead letter that names the right sink and differs from the event in something that a redrive acts on.</summary>
public sealed class DeadLettersHoldOtherContentTests
{
    [Fact]
    public void The_body_as_Base64() => Convicts(upload => WithContent(upload, Encoding.ASCII.GetBytes(Convert.ToBase64String(upload.Content.Span))));

    [Fact]
    public void The_body_cut_to_what_a_log_line_holds() => Convicts(upload => WithContent(upload, upload.Content[..4]));

    [Fact]
    public void No_body() => Convicts(upload => WithContent(upload, default));

    [Fact]
    public void Another_content_type() => Convicts(static upload => upload with { ContentType = "application/json" });

    [Fact]
    public void A_content_type_beside_the_one_of_the_event() =>
        Convicts(ChangedUploads.Metadata(DeadLetterFields.ContentType, Convert.ToBase64String("application/json"u8)));

    [Fact]
    public void The_mark_of_an_event_without_a_content_type() => Convicts(ChangedUploads.Metadata(DeadLetterFields.Untyped, "1"));

    [Theory]
    [InlineData("Text")]
    [InlineData("Value")]
    public void A_kind_of_body_that_does_not_exist_or_is_that_of_another(string kind) => Convicts(ChangedUploads.Metadata(DeadLetterFields.BodyKind, kind));

    [Fact]
    public void Its_hash_in_capital_letters() => Convicts(ChangedUploads.HashInCapitals);

    [Fact]
    public void No_properties() => Convicts(ChangedUploads.Metadata(DeadLetterFields.Properties, null));

    [Fact]
    public void Other_properties() => Convicts(ChangedUploads.Metadata(DeadLetterFields.Properties, Convert.ToBase64String("41"u8)));

    [Theory]
    [InlineData(EventBlob.HashName, null)]
    [InlineData(EventBlob.HashName, "none")]
    [InlineData(EventBlob.LengthName, null)]
    [InlineData(EventBlob.LengthName, "1")]
    public void No_hash_or_length_or_one_of_other_bytes(string name, string? value) => Convicts(ChangedUploads.Metadata(name, value));

    [Theory]
    [InlineData(DeadLetterFields.Partition, "1")]
    [InlineData(DeadLetterFields.Sequence, "41")]
    [InlineData(DeadLetterFields.Sequence, "4.0E1")]
    public void The_place_of_another_event(string name, string value) => Convicts(ChangedUploads.Metadata(name, value));

    [Fact]
    public void The_offset_of_another_event() => Convicts(ChangedUploads.Metadata(DeadLetterFields.Offset, Convert.ToBase64String("@41"u8)));

    [Fact]
    public void The_offset_in_clear() => Convicts(ChangedUploads.Metadata(DeadLetterFields.Offset, "@41"));

    [Fact]
    public void The_time_in_the_words_of_a_culture() =>
        Convicts(
            ChangedUploads.Metadata(DeadLetterFields.Enqueued, new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc).ToString("f", CultureInfo.InvariantCulture))
        );

    [Theory]
    [InlineData(null)]
    [InlineData("0")]
    [InlineData("7200000")]
    [InlineData("00:01:00")]
    public void A_claim_without_a_limit_or_with_one_that_is_none(string? limit) =>
        Convicts(upload =>
            upload with
            {
                Metadata = ChangedUploads.With(ChangedUploads.With(upload.Metadata!, DeadLetterFields.Claim, "reserved"), DeadLetterFields.ClaimLimit, limit),
            }
        );

    private static void Convicts(Func<BlobUpload, BlobUpload> change) =>
        Trial.Convicts(["corrupt"], async schedule => (await GivingUp.RunAsync(schedule, GivingUp.Changed(change))).Services.Judge());

    // With hash and length of what it holds, as the code that makes them sees it.
    private static BlobUpload WithContent(BlobUpload upload, ReadOnlyMemory<byte> content)
    {
        var metadata = new Dictionary<string, string>(upload.Metadata!, StringComparer.Ordinal);
        foreach (var (name, value) in EventBlob.GetMetadata(content))
        {
            metadata[name] = value;
        }

        return upload with
        {
            Content = content,
            Metadata = metadata,
        };
    }
}

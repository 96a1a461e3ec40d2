using System.Globalization;
using System.Security.Cryptography;
using System.Text.RegularExpressions;
using EventHubThroughput.Journal;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Verification.Tests;

/// <summary>The records that version 8 writes less often are still there: a journal in its short form is judged as in the long one.</summary>
public sealed partial class ShortJournalTests
{
    [Fact]
    public void Any_journal_is_judged_alike_in_its_long_form_and_in_its_short_one()
    {
        var property = Prop.ForAll(
            Gen.Choose(0, int.MaxValue).ToArbitrary(),
            seed =>
            {
                var run = GoodRunTests.Of(seed).Play();
                SpillingTests.Damage(run.Journal, new Random(seed));
                Falsify(run.Journal, new Random(seed));
                Assert.Equal(Text(run), Text(run with { Journal = Shortened(run.Journal) }));
            }
        );
        Check.One(PropertyCases.Times(0.5), property);
    }

    [Fact]
    public void Shortening_reduces_every_kind_of_record_that_it_applies_to()
    {
        var journal = GoodRunTests.Of(seed: 1).Play().Journal;
        var shortened = Shortened(journal);
        Assert.InRange(shortened.OfType<EventDelivered>().Count(), 1, journal.OfType<EventDelivered>().Count() - 1);
        Assert.All(shortened.OfType<BlobWritten>().Where(static blob => blob.Moment == WriteMoment.Stored), static blob => Assert.True(blob.Restated));
        Assert.DoesNotContain(shortened, static record => record is BlobWritten { Moment: WriteMoment.Answered });
    }

    // Ticks number the records, of which the short form has fewer.
    private static string Text(GoodRun run) => Tick().Replace(SpillingTests.Text(run.Judge()), "tick");

    private static List<JournalRecord> Shortened(IEnumerable<JournalRecord> journal)
    {
        List<JournalRecord> shortened = [];
        foreach (var record in journal)
        {
            switch (record)
            {
                case EventDelivered delivered when shortened.Count > 0 && shortened[^1] is EventDelivered before && Follows(before, delivered):
                    shortened[^1] = before with { Count = before.Count + 1 };
                    break;
                case MessageWritten { Moment: WriteMoment.Begun } begun:
                    shortened.Add(begun with { Sha256 = null, Length = 0, ContentType = null, PropertiesSha256 = null, Properties = null });
                    break;
                case BlobWritten { Moment: WriteMoment.Begun } begun:
                    shortened.Add(begun with { ContentType = null, Metadata = null });
                    break;
                case BlobWritten { Moment: WriteMoment.Answered }:
                    break;
                case BlobWritten stored:
                    shortened.Add(Shortened(stored));
                    break;
                default:
                    shortened.Add(record);
                    break;
            }
        }

        return shortened;
    }

    private static bool Follows(EventDelivered before, EventDelivered next) =>
        before.Sequence + before.Count == next.Sequence && before with { Sequence = 0, Count = 1 } == next with { Sequence = 0 };

    private static BlobWritten Shortened(BlobWritten stored)
    {
        var metadata = new Dictionary<string, string>(stored.Metadata ?? new Dictionary<string, string>(), StringComparer.OrdinalIgnoreCase);
        var restated =
            metadata.GetValueOrDefault("sha256") == stored.Sha256
            && metadata.GetValueOrDefault("length") == stored.Length.ToString(CultureInfo.InvariantCulture);
        if (restated)
        {
            metadata.Remove("sha256");
            metadata.Remove("length");
        }

        var properties = metadata.GetValueOrDefault("properties") is { Length: > 0 } encoded ? Convert.FromBase64String(encoded) : null;
        if (properties is not null)
        {
            metadata.Remove("properties");
        }

        return stored with
        {
            Metadata = metadata,
            Restated = restated,
            PropertiesSha256 = properties is null ? null : Convert.ToHexStringLower(SHA256.HashData(properties)),
        };
    }

    // Makes metadata say something else than what is there.
    private static void Falsify(List<JournalRecord> journal, Random random)
    {
        for (var i = 0; i < journal.Count; i++)
        {
            if (journal[i] is BlobWritten { Moment: WriteMoment.Stored, Metadata: { } metadata } blob && random.Next(20) == 0)
            {
                var name = metadata.Keys.ElementAt(random.Next(metadata.Count));
                journal[i] = blob with { Metadata = new Dictionary<string, string>(metadata) { [name] = Convert.ToBase64String([(byte)random.Next(256)]) } };
            }
        }
    }

    [GeneratedRegex(@"tick \d+", RegexOptions.NonBacktracking)]
    private static partial Regex Tick();
}

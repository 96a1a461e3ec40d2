using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>
/// Random sequences of all changes of a container: content, blocks, metadata, copies, leases, time, restarts and kills. They agree with a dictionary
/// that has the rules of the service. Compared are statuses, codes, content, versions and lists.
/// </summary>
public sealed class BlobConformanceTests
{
    private const int FixedSequences = 160;

    private static readonly Gen<string> Name = Gen.Elements("a", "a/1", "b/c");
    private static readonly Gen<string> Text = Gen.Elements(string.Empty, "x", "some text", new string('l', 70_000));
    private static readonly Gen<string> Metadata = Gen.Elements(string.Empty, "one", "two");
    private static readonly Gen<string> BlockId = Gen.Frequency((6, Gen.Elements("AAAA", "BBBB", "CCCC")), (1, Gen.Constant("AAAAAAAA")));

    private static readonly Gen<Version> AnyVersion = Gen.Frequency(
        (6, Gen.Constant(Version.Any)),
        (1, Gen.Constant(Version.Absent)),
        (2, Gen.Constant(Version.Current)),
        (1, Gen.Constant(Version.Stale))
    );

    private static readonly Gen<Holder> AnyHolder = Gen.Frequency(
        (1, Gen.Constant(Holder.Nobody)),
        (4, Gen.Constant(Holder.Current)),
        (1, Gen.Constant(Holder.Stranger))
    );

    // Often without an owner, so that a name without a lease is not refused most of the time.
    private static readonly Gen<Holder> MostlyUnheld = Gen.Frequency((2, Gen.Constant(Holder.Nobody)), (1, AnyHolder));

    private static readonly Gen<ModelStep> Content = Gen.Frequency(
        (
            4,
            from name in Name
            from text in Text
            from metadata in Metadata
            from version in AnyVersion
            from holder in MostlyUnheld
            select (ModelStep)new PutBlobStep(name, text, metadata, version, holder)
        ),
        (4, from name in Name from id in BlockId from text in Text from holder in MostlyUnheld select (ModelStep)new PutBlockStep(name, id, text, holder)),
        (
            4,
            from name in Name
            from list in (from kind in Gen.Elements("Latest", "Latest", "Committed", "Uncommitted") from id in BlockId select (kind, id)).ListOf()
            from version in AnyVersion
            from holder in MostlyUnheld
            select (ModelStep)new CommitStep(name, [.. list.Take(3)], version, holder)
        ),
        (
            2,
            from name in Name
            from value in Metadata
            from version in AnyVersion
            from holder in MostlyUnheld
            select (ModelStep)new SetMetadataStep(name, value, version, holder)
        ),
        (2, from name in Name from version in AnyVersion from holder in MostlyUnheld select (ModelStep)new DeleteStep(name, version, holder)),
        (
            2,
            from source in Name
            from name in Name
            from version in AnyVersion
            from holder in MostlyUnheld
            select (ModelStep)new CopyStep(source, name, version, holder)
        )
    );

    private static readonly Gen<ModelStep> Leases = Gen.Frequency(
        (
            3,
            from name in Name
            from seconds in Gen.Elements<int?>(15, 60, null)
            from again in Gen.Elements(true, false)
            from number in Gen.Choose(1, 9)
            select (ModelStep)new AcquireStep(name, seconds, again, number)
        ),
        (1, from name in Name from holder in AnyHolder select (ModelStep)new RenewStep(name, holder)),
        (1, from name in Name from holder in AnyHolder select (ModelStep)new ReleaseStep(name, holder)),
        (1, from name in Name from period in Gen.Elements<int?>(null, 0, 10, 60) select (ModelStep)new BreakStep(name, period)),
        (2, from seconds in Gen.Elements(1, 10, 15, 45) select (ModelStep)new AdvanceStep(seconds))
    );

    private static readonly Gen<ModelStep> Looks = Gen.Frequency(
        (
            3,
            from name in Name
            from first in Gen.Elements(0, 1, 5, 69_000)
            from length in Gen.Elements(1, 4, 100_000)
            select (ModelStep)new ReadStep(name, first, first + length - 1)
        ),
        (2, Name.Select(static name => (ModelStep)new ListBlocksStep(name))),
        (
            2,
            from prefix in Gen.Elements(string.Empty, "a", "a/", "b/c")
            from delimiter in Gen.Elements(string.Empty, "/")
            from size in Gen.Elements(1, 2, 100)
            select (ModelStep)new ListStep(prefix, delimiter, size)
        )
    );

    private static readonly Gen<ModelStep> Restarts = Gen.Elements<ModelStep>(new RestartStep(Killed: false), new RestartStep(Killed: true));

    private static readonly Gen<ModelStep[]> Sequence = Gen.Frequency((24, Content), (16, Leases), (12, Looks), (1, Restarts)).ArrayOf(40);

    // The same sequences each time, so that the corners which they come into are a fact and not luck.
    [Fact]
    public void Gives_what_a_dictionary_with_the_rules_of_the_service_gives()
    {
        var refusals = CheckSequences(PropertyCases.Usual.WithMaxTest(FixedSequences).WithReplay(3, 1_234_567_891));

        // They came into the corners too, or they would prove little.
        Assert.Superset(
            new HashSet<string>(StringComparer.Ordinal)
            {
                "BlobAlreadyExists",
                "BlobNotFound",
                "ConditionNotMet",
                "InvalidBlobOrBlock",
                "InvalidBlockList",
                "LeaseAlreadyPresent",
                "LeaseIdMismatchWithBlobOperation",
                "LeaseIdMismatchWithLeaseOperation",
                "LeaseIdMissing",
                "LeaseLost",
                "LeaseNotPresentWithBlobOperation",
                "LeaseNotPresentWithLeaseOperation",
            },
            refusals
        );
    }

    [Fact]
    public void Gives_it_for_other_sequences_too() => CheckSequences(PropertyCases.Times(0.04));

    private static HashSet<string> CheckSequences(Config config)
    {
        var runs = 0;
        HashSet<string> refusals = [];
        Check.One(
            config,
            Prop.ForAll(
                Arb.From(Sequence, Shorter),
                async steps =>
                {
                    runs++;
                    await using var run = await ModelRun.StartAsync();
                    foreach (var step in steps)
                    {
                        await step.ApplyAsync(run);
                    }

                    refusals.UnionWith(run.Refusals);

                    // After any sequence the disk gives the same again.
                    await run.RestartAsync(killed: true);
                    await new ListStep(string.Empty, string.Empty, 2).ApplyAsync(run);
                    foreach (var name in run.Model.Blobs.Keys)
                    {
                        await new ReadStep(name, 0, int.MaxValue - 1).ApplyAsync(run);
                        await new ListBlocksStep(name).ApplyAsync(run);
                    }
                }
            )
        );
        Assert.Equal(config.MaxTest, runs);
        return refusals;
    }

    // A failing sequence is shown without the steps that do not matter: halves first, then single steps.
    private static IEnumerable<ModelStep[]> Shorter(ModelStep[] steps)
    {
        if (steps.Length > 1)
        {
            yield return steps[..(steps.Length / 2)];
            yield return steps[(steps.Length / 2)..];
        }

        for (var i = 0; i < steps.Length; i++)
        {
            yield return [.. steps[..i], .. steps[(i + 1)..]];
        }
    }
}

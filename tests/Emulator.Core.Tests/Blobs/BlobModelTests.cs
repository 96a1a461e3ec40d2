using System.Globalization;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Emulator.Blobs;
using EventHubThroughput.Emulator.Core.Tests.Storage;
using EventHubThroughput.Emulator.Storage;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>Random sequences of operations through the client give what a dictionary would give.</summary>
public sealed class BlobModelTests
{
    private static readonly string[] Names = ["a", "a/1", "a/2", "b c", "$default/ä", "zz"];

    private static readonly Gen<string> Name = Gen.Elements(Names);

    private static readonly Gen<Step> AnyStep = Gen.Frequency(
        (
            4,
            from name in Name
            from content in Gen.Choose(0, 255).ArrayOf()
            from condition in Gen.Elements(Enum.GetValues<Condition>())
            select (Step)new Put(name, [.. content.Select(static value => (byte)value)], condition)
        ),
        (
            3,
            from name in Name
            from value in Gen.Elements(string.Empty, "x", "a b", "no offset")
            from condition in Gen.Elements(Condition.None, Condition.Current, Condition.Stale)
            select (Step)new SetMetadata(name, value, condition)
        ),
        (2, Name.Select(static name => (Step)new Delete(name))),
        (2, Name.Select(static name => (Step)new Read(name))),
        (1, Gen.Elements(string.Empty, "a", "a/", "b", "q").Select(static prefix => (Step)new List(prefix)))
    );

    private enum Condition
    {
        None,
        Absent,
        Current,
        Stale,
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Behaves_as_a_dictionary_with_versions(bool leavesMemory)
    {
        var budget = leavesMemory ? SpillingMemory.Create() : new MemoryBudget(1L << 30);
        await using var service = await BlobService.StartAsync(
            new BlobServiceOptions { Key = Guid.NewGuid().ToByteArray(), Budget = budget },
            TestContext.Current.CancellationToken
        );
        using BlobAccount account = new(StorageConnectionString.Parse(service.ConnectionString), new BlobAccountOptions());
        var cases = PropertyCases.Times(0.2);
        var run = 0;

        Check.One(
            cases,
            Prop.ForAll(
                AnyStep.ListOf().ToArbitrary(),
                async steps =>
                {
                    var container = account.GetContainer(string.Create(CultureInfo.InvariantCulture, $"run-{Interlocked.Increment(ref run)}"));
                    await container.CreateIfMissingAsync(TestContext.Current.CancellationToken);
                    Model model = new(container);
                    foreach (var step in steps)
                    {
                        await step.ApplyAsync(model);
                    }
                }
            )
        );
        Assert.Equal(cases.MaxTest, run);
    }

    private sealed record Entry(byte[] Content, IReadOnlyDictionary<string, string> Metadata, string ETag);

    /// <summary>The dictionary beside the real container.</summary>
    private sealed class Model(IBlobContainer container)
    {
        public IBlobContainer Container { get; } = container;

        public SortedDictionary<string, Entry> Entries { get; } = new(StringComparer.Ordinal);

        public HashSet<string> ETags { get; } = [];

        public BlobCondition Real(string name, Condition condition) =>
            condition switch
            {
                Condition.Absent => BlobCondition.Absent,
                Condition.Current when Entries.TryGetValue(name, out var entry) => BlobCondition.Match(entry.ETag),
                Condition.Current or Condition.Stale => BlobCondition.Match("0x0"),
                _ => BlobCondition.None,
            };

        public bool Allows(string name, Condition condition) =>
            condition switch
            {
                Condition.Absent => !Entries.ContainsKey(name),
                Condition.Current => Entries.ContainsKey(name),
                Condition.Stale => false,
                _ => true,
            };
    }

    private abstract record Step
    {
        public abstract Task ApplyAsync(Model model);

        protected static CancellationToken Cancelled => TestContext.Current.CancellationToken;

        protected static async Task Refused(FailureKind kind, Func<Task> action) =>
            Assert.Equal(kind, (await Assert.ThrowsAsync<MessagingException>(action)).Kind);
    }

    private sealed record Put(string Name, byte[] Content, Condition Condition) : Step
    {
        public override async Task ApplyAsync(Model model)
        {
            BlobUpload upload = new()
            {
                Name = Name,
                Content = Content,
                Condition = model.Real(Name, Condition),
            };
            if (!model.Allows(Name, Condition))
            {
                await Refused(FailureKind.Conflict, () => model.Container.UploadAsync(upload, Cancelled).AsTask());
                return;
            }

            var etag = await model.Container.UploadAsync(upload, Cancelled);
            Assert.True(model.ETags.Add(etag));
            model.Entries[Name] = new Entry(Content, new Dictionary<string, string>(), etag);
        }
    }

    private sealed record SetMetadata(string Name, string Value, Condition Condition) : Step
    {
        public override async Task ApplyAsync(Model model)
        {
            Dictionary<string, string> metadata = new() { ["value"] = Value };
            Task<BlobProperties> Set() => model.Container.SetMetadataAsync(Name, metadata, model.Real(Name, Condition), Cancelled);
            if (!model.Entries.TryGetValue(Name, out var entry))
            {
                await Refused(FailureKind.NotFound, Set);
                return;
            }

            if (!model.Allows(Name, Condition))
            {
                await Refused(FailureKind.Conflict, Set);
                return;
            }

            var etag = (await Set()).ETag;
            Assert.True(model.ETags.Add(etag));
            model.Entries[Name] = entry with { Metadata = metadata, ETag = etag };
        }
    }

    private sealed record Delete(string Name) : Step
    {
        public override async Task ApplyAsync(Model model) => Assert.Equal(model.Entries.Remove(Name), await model.Container.DeleteAsync(Name, Cancelled));
    }

    private sealed record Read(string Name) : Step
    {
        public override async Task ApplyAsync(Model model)
        {
            var properties = await model.Container.GetPropertiesAsync(Name, Cancelled);
            if (!model.Entries.TryGetValue(Name, out var entry))
            {
                Assert.Null(properties);
                await Refused(FailureKind.NotFound, () => model.Container.DownloadAsync(Name, Cancelled));
                return;
            }

            Assert.Equal((entry.ETag, entry.Content.Length), (properties!.ETag, properties.ContentLength));
            Assert.Equal(entry.Metadata, properties.Metadata);
            Assert.Equal(entry.Content, (await model.Container.DownloadAsync(Name, Cancelled)).ToArray());
        }
    }

    private sealed record List(string Prefix) : Step
    {
        public override async Task ApplyAsync(Model model)
        {
            List<(string, string)> listed = [];
            await foreach (var blob in model.Container.ListAsync(Prefix, Cancelled))
            {
                Assert.Equal(model.Entries[blob.Name].Metadata, blob.Metadata);
                listed.Add((blob.Name, blob.ETag));
            }

            Assert.Equal(
                model.Entries.Where(pair => pair.Key.StartsWith(Prefix, StringComparison.Ordinal)).Select(static pair => (pair.Key, pair.Value.ETag)),
                listed
            );
        }
    }
}

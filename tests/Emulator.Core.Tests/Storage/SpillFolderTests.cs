using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.EventHubs;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.ServiceBus;
using EventHubThroughput.Emulator.Storage;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Storage;

public sealed class SpillFolderTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("eht-spills").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Bodies_of_concurrent_writers_are_read_back_as_written()
    {
        var spill = SpillFolder.Open(_folder);
        var property = Prop.ForAll<byte[][]>(bodies =>
        {
            var places = bodies.AsParallel().AsOrdered().Select(body => spill.TryWrite(body)!).ToArray();
            Assert.All(
                places.Zip(bodies),
                pair =>
                {
                    var read = new byte[pair.First.Length];
                    pair.First.Read(0, read);
                    Assert.Equal(pair.Second, read);
                }
            );
        });
        Check.One(PropertyCases.Usual, property);
    }

    [Fact]
    public void Leaves_nothing_in_its_folder_where_the_system_allows_it()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "a file that is open has a name there");
        Assert.NotNull(SpillFolder.Open(_folder).TryWrite([1, 2, 3]));
        Assert.Empty(Directory.EnumerateFileSystemEntries(_folder));
    }

    [Fact]
    public void Refuses_a_folder_that_is_not_there()
    {
        var missing = Path.Combine(_folder, "missing");
        var refused = Assert.Throws<EmulatorException>(() => SpillFolder.Open(missing));
        Assert.Equal(EmulatorErrorKind.NotWritable, refused.Kind);
        Assert.StartsWith($"SpillPath {missing}: cannot be written", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Bodies_stay_in_memory_until_its_share_of_the_limit_is_taken()
    {
        MemoryBudget budget = new(8_000, SpillFolder.Open(_folder));
        budget.Reserve(999);
        Assert.Null(budget.TrySpill([1]));
        budget.Reserve(1);
        Assert.NotNull(budget.TrySpill([1]));
    }

    [Fact]
    public void A_hub_takes_many_times_more_than_memory_holds()
    {
        var budget = SpillingMemory.Create(limitBytes: 3_000_000);
        var log = new PartitionLog("0", new HubSettings("hub"), budget, new VirtualClock());
        for (var i = 0; i < 10_000; i++)
        {
            Assert.Equal(AppendVerdict.Appended, log.TryAppend([Encoded.Event($"{i} {new string('x', 2_000)}")], null));
        }

        var read = new StoredEvent[10_001];
        Assert.Equal(10_000, log.Read(0, read));
        Assert.StartsWith("9999 ", Encoded.GetText(Amqp.Codec.AmqpMessage.Decode(read[9_999].Encoded)), StringComparison.Ordinal);
        log.Delete();
        Assert.Equal(0, budget.UsedBytes);
    }

    [Fact]
    public void A_queue_takes_many_times_more_than_memory_holds()
    {
        var budget = SpillingMemory.Create(limitBytes: 1_000_000);
        using var registry = new ServiceBusRegistry(budget, new VirtualClock());
        registry.CreateQueue(new QueueSettings("queue"));
        var queue = registry.FindQueue("queue")!;
        for (var i = 0; i < 1_000; i++)
        {
            var content = MessageContent.Of(MessageParts.Parse(Encoded.Message($"{i} {new string('x', 10_000)}", messageId: $"m{i}")));
            Assert.NotNull(queue.Send([content], stored: null, hops: 0));
        }

        Assert.InRange(budget.UsedBytes, 1_000, 1_000_000);
        Assert.Equal(1_000, queue.Count);
    }
}

using System.Collections;
using EventHubThroughput.Emulator.Blobs;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

public sealed class BlobSlotTests
{
    [Fact]
    public void Finds_the_block_that_each_kind_of_reference_means()
    {
        BlobBlock[] committed = [Block("AAAA"), Block("BBBB"), Block("AAAA")];
        var waiting = Block("BBBB");
        var slot = Slot(committed);
        slot.Uncommitted["BBBB"] = waiting;

        Assert.Equal([committed[0], waiting, waiting, committed[1]], slot.Find([Latest("AAAA"), Latest("BBBB"), Uncommitted("BBBB"), Committed("BBBB")]));
        Assert.Null(slot.Find([Latest("AAAA"), Uncommitted("AAAA")]));
        Assert.Null(slot.Find([Latest("CCCC")]));
        Assert.Empty(slot.Find([])!);
    }

    [Fact]
    public void Goes_through_the_committed_blocks_once_however_long_the_list_is()
    {
        CountedBlocks blocks = new([.. Enumerable.Range(0, 1_000).Select(static number => Block($"{number:0000}"))]);
        var slot = Slot(blocks);

        Assert.Equal(1_000, slot.Find([.. Enumerable.Repeat(Committed("0999"), 1_000)])!.Length);
        Assert.Equal(1, blocks.Passes);
    }

    private static BlobBlock Block(string id) => new(id, []);

    private static BlockReference Latest(string id) => new(id, Uncommitted: true, Committed: true);

    private static BlockReference Uncommitted(string id) => new(id, Uncommitted: true, Committed: false);

    private static BlockReference Committed(string id) => new(id, Uncommitted: false, Committed: true);

    private static BlobSlot Slot(IReadOnlyList<BlobBlock> blocks)
    {
        BlobContent content = new()
        {
            Name = "a",
            Blocks = blocks,
            Details = new BlobDetails { Headers = new BlobHttpHeaders("t", null, null, null, null, null), Metadata = new Dictionary<string, string>() },
        };
        return new BlobSlot("a") { Blob = new StoredBlob(content, "1", default, default) };
    }

    private sealed class CountedBlocks(BlobBlock[] blocks) : IReadOnlyList<BlobBlock>
    {
        public int Passes { get; private set; }

        public int Count => blocks.Length;

        public BlobBlock this[int index] => blocks[index];

        public IEnumerator<BlobBlock> GetEnumerator()
        {
            Passes++;
            return blocks.AsEnumerable().GetEnumerator();
        }

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }
}

using EventHubThroughput.Testing;
using EventHubThroughput.Verification.Facts;
using EventHubThroughput.Verification.Sorting;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Verification.Tests;

public sealed class ExternalSortTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("eht-sort-");

    public void Dispose() => folder.Delete(recursive: true);

    [Fact]
    public void Items_come_back_in_order_and_equal_ones_in_the_order_of_their_arrival()
    {
        var keys = Gen.OneOf(Gen.Choose(0, 5).Select(key => (long)key), ArbMap.Default.ArbFor<long>().Generator).ListOf();
        var property = Prop.ForAll(
            keys.ToArbitrary(),
            Gen.Choose(1, 400).ToArbitrary(),
            (all, memory) =>
            {
                using var sort = new ExternalSort<Numbered>(memory, folder.FullName);
                var items = all.Select((key, number) => new Numbered(key, number)).ToList();
                items.ForEach(item => sort.Add(item));

                Assert.Equal(items.OrderBy(item => item.Order), sort.Drain());
                Assert.Empty(folder.EnumerateFileSystemInfos());
            }
        );
        Check.One(PropertyCases.Usual, property);
    }

    [Fact]
    public void Items_that_fit_in_memory_never_touch_the_disk()
    {
        using var sort = new ExternalSort<Numbered>(1 << 20, Path.Combine(folder.FullName, "missing"));
        for (var i = 0; i < 20_000; i++)
        {
            sort.Add(new Numbered(20_000 - i, i));
        }

        Assert.Equal(0, sort.Runs);
        Assert.Equal(Enumerable.Range(0, 20_000).Select(i => 19_999 - i), sort.Drain().Select(item => item.Number));
    }

    [Fact]
    public void Items_beyond_the_memory_are_written_in_runs_and_merged()
    {
        using var sort = new ExternalSort<Numbered>((16 + 8) * 100, folder.FullName);
        for (var i = 0; i < 100_000; i++)
        {
            sort.Add(new Numbered(i * 7919L % 100_000, i));
        }

        Assert.Equal(999, sort.Runs);
        Assert.Equal(Enumerable.Range(0, 100_000).Select(key => (long)key), sort.Drain().Select(item => item.Key));
    }

    [Fact]
    public void A_folder_that_is_not_there_is_named()
    {
        var missing = Path.Combine(folder.FullName, "missing");
        using var sort = new ExternalSort<Numbered>(1, missing);
        sort.Add(new Numbered(1, 1));

        var failure = Assert.Throws<IOException>(() => sort.Add(new Numbered(2, 2)));
        Assert.StartsWith($"temporary folder {missing}: cannot be written: ", failure.Message, StringComparison.Ordinal);
    }

    private readonly record struct Numbered(long Key, int Number) : ISortable
    {
        public UInt128 Order => (ulong)Key;
    }
}

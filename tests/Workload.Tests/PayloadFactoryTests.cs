using System.Text.Json;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Workload.Tests;

public sealed class PayloadFactoryTests
{
    [Fact]
    public void Every_body_has_exactly_the_size_asked() =>
        Prop.ForAll(
                Gen.Choose(0, 5000).ToArbitrary(),
                Gen.Choose(0, int.MaxValue).ToArbitrary(),
                (size, index) => new PayloadFactory(1, size).Create(index).Length == size
            )
            .Check(PropertyCases.Usual);

    [Fact]
    public void Bodies_large_enough_are_json_with_their_index() =>
        Prop.ForAll(
                Gen.Choose(40, 2000).ToArbitrary(),
                Gen.Choose(0, int.MaxValue).ToArbitrary(),
                (size, index) =>
                {
                    var factory = new PayloadFactory(1, size);
                    using var body = JsonDocument.Parse(factory.Create(index));
                    return body.RootElement.GetProperty("index").GetInt64() == index && factory.GetContentType(index) == "application/json";
                }
            )
            .Check(PropertyCases.Usual);

    [Fact]
    public void Smaller_bodies_are_bytes()
    {
        Assert.Equal("application/octet-stream", new PayloadFactory(1, 10).GetContentType(0));
        Assert.Empty(new PayloadFactory(1, 0).Create(0));
        Assert.NotEqual(new PayloadFactory(1, 10).Create(0), new PayloadFactory(1, 10).Create(1));
    }

    [Fact]
    public void Sizes_are_mixed_by_their_weights_and_the_same_each_time()
    {
        var factory = new PayloadFactory(1, new SizeMix([(64, 90), (4096, 10)]));
        var sizes = Enumerable.Range(0, 10_000).Select(index => factory.Create(index).Length).ToList();

        Assert.Equal([64, 4096], sizes.Distinct().Order());
        Assert.InRange(sizes.Count(static size => size == 4096), 900, 1100);
        Assert.Equal(sizes[..100], Enumerable.Range(0, 100).Select(index => new PayloadFactory(1, new SizeMix([(64, 90), (4096, 10)])).Create(index).Length));
    }

    [Fact]
    public void The_size_of_an_event_is_independent_of_its_key()
    {
        var sizes = new SizeMix([(1, 1), (2, 1)]);
        var keys = new KeyDistribution(2, 0, 7);
        var same = Enumerable.Range(0, 10_000).Count(index => (sizes.SizeOf(7, index) == 1) == (keys.GetKey(index) == "key-0"));

        Assert.InRange(same, 4700, 5300);
    }

    [Fact]
    public void A_mix_of_nothing_or_without_weight_is_refused()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => new SizeMix([]));
        Assert.Throws<ArgumentOutOfRangeException>(() => new SizeMix([(5, 0)]));
        Assert.Throws<ArgumentOutOfRangeException>(() => new SizeMix([(-1, 1)]));
    }

    [Fact]
    public void The_same_seed_and_index_give_the_same_bytes_and_others_do_not()
    {
        Assert.Equal(new PayloadFactory(1, 200).Create(5), new PayloadFactory(1, 200).Create(5));
        Assert.NotEqual(new PayloadFactory(1, 200).Create(5), new PayloadFactory(2, 200).Create(5));
        Assert.NotEqual(new PayloadFactory(1, 200).Create(5)[20..], new PayloadFactory(1, 200).Create(6)[20..]);
    }
}

using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Processing;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Running;

/// <summary>What a handler does beside its writes.</summary>
public sealed class HandlerWorkTests
{
    [Fact]
    public void None_leaves_the_sinks_as_they_are() => Assert.Same(SinkCatalog.All, default(HandlerWork).Before(SinkCatalog.All, TimeProvider.System));

    [Fact]
    public async Task Comes_before_the_sinks()
    {
        var sinks = new HandlerWork(TimeSpan.FromMicroseconds(250), TimeSpan.Zero).Before(SinkCatalog.All, TimeProvider.System);
        Assert.Equal([HandlerWork.SinkName, .. SinkCatalog.All.Select(static sink => sink.Name)], sinks.Select(static sink => sink.Name));

        await WriteAsync(sinks, CancellationToken.None);
    }

    [Fact]
    public async Task A_thread_that_is_held_is_free_again_when_the_write_has_lasted_too_long()
    {
        using var over = new CancellationTokenSource();
        var sinks = new HandlerWork(TimeSpan.Zero, TimeSpan.FromHours(1)).Before(SinkCatalog.All, TimeProvider.System);
        var write = Task.Run(() => WriteAsync(sinks, over.Token), TestContext.Current.CancellationToken);

        await over.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => write);
    }

    private static Task WriteAsync(IReadOnlyList<SinkDescriptor> sinks, CancellationToken cancellationToken) =>
        sinks[0].Create(null!).WriteAsync(null!, cancellationToken).AsTask();
}

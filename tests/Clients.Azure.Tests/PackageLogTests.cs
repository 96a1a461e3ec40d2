using System.Diagnostics.Tracing;
using EventHubThroughput.Clients.Azure.Logs;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Clients.Azure.Tests;

/// <summary>What the packages trace is traced for the process, and the clients of several processings listen.</summary>
public sealed class PackageLogTests : IDisposable
{
    private readonly LogRecorder recorder = new();

    // The listeners of the packages receive from sources with this trait.
    private readonly PackageSource source = new();

    [Fact]
    public void Clients_of_one_factory_write_a_line_once()
    {
        using var one = PackageLog.To(recorder, TimeProvider.System);
        using var two = PackageLog.To(recorder, TimeProvider.System);

        source.Trace("lost");

        Assert.Equal("Azure.Test", Assert.Single(GetLines(recorder, "lost")).Category);
    }

    [Fact]
    public void Clients_write_until_the_last_of_one_factory_has_closed()
    {
        var one = PackageLog.To(recorder, TimeProvider.System);
        var two = PackageLog.To(recorder, TimeProvider.System);

        one?.Dispose();
        one?.Dispose();
        source.Trace("first");
        two?.Dispose();
        source.Trace("second");

        Assert.Single(GetLines(recorder, "first"));
        Assert.Empty(GetLines(recorder, "second"));
    }

    [Fact]
    public void Clients_of_two_factories_write_to_both()
    {
        using var other = new LogRecorder();
        using var one = PackageLog.To(recorder, TimeProvider.System);
        using var two = PackageLog.To(other, TimeProvider.System);

        source.Trace("lost");

        Assert.Single(GetLines(recorder, "lost"));
        Assert.Single(GetLines(other, "lost"));
    }

    public void Dispose()
    {
        source.Dispose();
        recorder.Dispose();
    }

    private static IEnumerable<LogLine> GetLines(LogRecorder recorder, string text) => recorder.Lines.Where(line => line.Message == text);

    private sealed class PackageSource() : EventSource("Azure-Test", EventSourceSettings.Default, "AzureEventSource", "true")
    {
        [Event(1, Level = EventLevel.Warning, Message = "{0}")]
        public void Trace(string text) => WriteEvent(1, text);
    }
}

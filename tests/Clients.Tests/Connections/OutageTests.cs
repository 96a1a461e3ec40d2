using System.Net.Sockets;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Connections;

public sealed class OutageTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);
    private static readonly SocketException Refused = new((int)SocketError.ConnectionRefused);

    private readonly VirtualClock clock = new();
    private readonly List<string> notices = [];
    private readonly Outage outage;

    public OutageTests() => outage = new Outage(new RetryOptions { UnreachableLimit = Limit }, clock, "127.0.0.1:43817", notices.Add);

    [Fact]
    public void Counts_from_the_beginning_of_the_first_of_several_failures()
    {
        Assert.Equal(Limit - TimeSpan.FromSeconds(2), FailAfter(TimeSpan.FromSeconds(2)));
        clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(Limit - TimeSpan.FromSeconds(10), FailAfter(TimeSpan.FromSeconds(3)));
    }

    [Fact]
    public void An_outage_reports_when_its_limit_is_over()
    {
        TimeSpan left;
        while ((left = FailAfter(TimeSpan.FromSeconds(4))) > TimeSpan.Zero)
        {
            clock.Advance(TimeSpan.FromSeconds(5));
        }

        Assert.InRange(left, TimeSpan.FromSeconds(-9), TimeSpan.Zero);
    }

    [Fact]
    public void An_outage_begins_again_after_an_answer()
    {
        FailAfter(TimeSpan.FromSeconds(30));
        outage.Over();

        Assert.Equal(Limit - TimeSpan.FromSeconds(1), FailAfter(TimeSpan.FromSeconds(1)));
    }

    [Fact]
    public void An_outage_begins_again_after_a_time_without_tries()
    {
        FailAfter(TimeSpan.FromSeconds(1));
        clock.Advance(TimeSpan.FromHours(1));

        Assert.Equal(Limit, FailAfter(TimeSpan.Zero));
    }

    [Fact]
    public void An_outage_of_a_second_is_reported_once()
    {
        FailAfter(TimeSpan.FromMilliseconds(999));
        Assert.Empty(notices);

        FailAfter(TimeSpan.FromMilliseconds(1));
        FailAfter(TimeSpan.FromSeconds(30));

        Assert.Equal(["connection refused by 127.0.0.1:43817, retrying for 60 s. Is the emulator running?"], notices);
    }

    [Fact]
    public void The_next_outage_is_reported_again()
    {
        FailAfter(TimeSpan.FromSeconds(1));
        outage.Over();
        FailAfter(TimeSpan.FromSeconds(1));

        Assert.Equal(2, notices.Count);
    }

    [Theory]
    [InlineData("ns.servicebus.windows.net:5671", SocketError.ConnectionRefused, "connection refused by ns.servicebus.windows.net:5671, retrying for 60 s")]
    [InlineData("ns.servicebus.windows.net:5671", SocketError.HostNotFound, "no address is known for ns.servicebus.windows.net:5671, retrying for 60 s")]
    [InlineData("ns at 127.0.0.1", SocketError.ConnectionRefused, "connection refused by ns at 127.0.0.1, retrying for 60 s")]
    [InlineData("10.0.0.1:443", SocketError.NetworkUnreachable, "no connection to 10.0.0.1:443 (NetworkUnreachable), retrying for 60 s")]
    [InlineData("localhost:5672", SocketError.ConnectionRefused, "connection refused by localhost:5672, retrying for 60 s. Is the emulator running?")]
    [InlineData("[::1]:5672", SocketError.ConnectionRefused, "connection refused by [::1]:5672, retrying for 60 s. Is the emulator running?")]
    public void The_report_names_the_server_and_the_reason(string server, SocketError error, string line)
    {
        var named = new Outage(new RetryOptions { UnreachableLimit = Limit }, clock, server, notices.Add);

        named.Notice(new IOException("wrapped", new SocketException((int)error)));

        Assert.Equal([line], notices);
    }

    private TimeSpan FailAfter(TimeSpan time)
    {
        var started = clock.GetTimestamp();
        clock.Advance(time);
        return outage.Failed(started, Refused);
    }
}

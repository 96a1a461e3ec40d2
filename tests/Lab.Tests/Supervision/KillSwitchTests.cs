using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Running;
using EventHubThroughput.Processing;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Supervision;

public sealed class KillSwitchTests
{
    private static readonly MessagingSettings Settings = new()
    {
        EventHub = MessagingConnectionString.Parse("Endpoint=sb://127.0.0.1;SharedAccessKeyName=a;SharedAccessKey=c2VjcmV0;UseDevelopmentEmulator=true"),
        EventHubName = "hub",
    };

    private const int Message = 0;
    private const int Blob = 1;

    private int kills;

    [Fact]
    public void Strikes_once_and_at_the_time_that_was_asked_for()
    {
        var killSwitch = At(KillPoint.BeforeBatchEnd, nth: 3);

        List<int> after = [];
        for (var i = 0; i < 5; i++)
        {
            killSwitch.Reached(KillPoint.BeforeFirstWrite);
            killSwitch.Reached(KillPoint.BeforeBatchEnd);
            after.Add(kills);
        }

        Assert.Equal([0, 0, 1, 1, 1], after);
    }

    [Fact]
    public void Is_off_unless_asked_for()
    {
        foreach (var point in Enum.GetValues<KillPoint>())
        {
            KillSwitch.Off.Reached(point);
        }

        Assert.Null(KillSwitch.Off.GetObserver(Settings));
        Assert.NotNull(At(KillPoint.MessageOnTheWire).GetObserver(Settings));
    }

    [Fact]
    public void K3_needs_the_message_first_and_K6_both()
    {
        var messageFirst = GetObserver(KillPoint.AfterMessageAcknowledged);
        messageFirst.Acknowledged(1, Blob, default);
        messageFirst.Acknowledged(1, Message, default);
        Assert.Equal(0, kills);
        messageFirst.Acknowledged(2, Message, default);
        Assert.Equal(1, kills);

        var both = GetObserver(KillPoint.AfterEventCompleted);
        both.Acknowledged(1, Message, default);
        Assert.Equal(1, kills);
        both.Acknowledged(1, Blob, default);
        Assert.Equal(2, kills);
    }

    [Theory]
    [InlineData("K2", OperationMoment.OnTheWire, "queue", null, null)]
    [InlineData("K4", OperationMoment.OnTheWire, "archive", "hub/0/00000000000000000001", null)]
    [InlineData("K5", OperationMoment.Answered, "archive", "hub/0/00000000000000000001", null)]
    [InlineData("K8", OperationMoment.OnTheWire, "checkpoints", "ns/hub/$default/checkpoint/0", null)]
    [InlineData("K9", OperationMoment.Answered, "checkpoints", "ns/hub/$default/checkpoint/0", null)]
    [InlineData("K12", OperationMoment.OnTheWire, "checkpoints", "ns/hub/$default/ownership/0", "")]
    [InlineData("K14", OperationMoment.OnTheWire, "deadletters", "hub/0/00000000000000000001", null)]
    [InlineData(null, OperationMoment.OnTheWire, "checkpoints", "ns/hub/$default/ownership/0", "one")]
    [InlineData(null, OperationMoment.Answered, "checkpoints", "ns/hub/$default/ownership/0", "")]
    public void The_switch_recognises_the_points_inside_a_client(string? expected, OperationMoment moment, string entity, string? blob, string? owner)
    {
        var metadata = owner is null ? null : new Dictionary<string, string>(StringComparer.Ordinal) { ["ownerid"] = owner };
        var struck = KillPoints.All.Where(point =>
        {
            kills = 0;
            At(point).GetObserver(Settings)!(new OperationStep(moment, entity, blob, metadata));
            return kills == 1;
        });

        Assert.Equal(expected is null ? [] : [expected], struck.Select(point => point.Code()));
    }

    [Theory]
    [InlineData("K3", "K3", 1)]
    [InlineData("K14:7", "K14", 7)]
    public void An_order_is_read_and_written_the_same_way(string text, string point, int nth)
    {
        Assert.Null(KillOrder.Problem("--kill-at", text, out var order));
        Assert.Equal((point, nth, text), (order.Point.Code(), order.Nth, order.ToString()));
    }

    [Theory]
    [InlineData("K15", "--kill-at 'K15': unknown kill point, allowed K1 to K14, or K3:7 for its seventh occurrence")]
    [InlineData("None", "--kill-at 'None': unknown kill point, allowed K1 to K14, or K3:7 for its seventh occurrence")]
    [InlineData("3", "--kill-at '3': unknown kill point, allowed K1 to K14, or K3:7 for its seventh occurrence")]
    [InlineData("K3:0", "--kill-at 'K3:0': '0' is not a count, allowed 1 to 2147483647")]
    [InlineData("K3:", "--kill-at 'K3:': '' is not a count, allowed 1 to 2147483647")]
    public void An_order_that_is_none_is_refused(string text, string expected) => Assert.Equal(expected, KillOrder.Problem("--kill-at", text, out _));

    private PartitionObserver GetObserver(KillPoint point) => Assert.Single(At(point).ObserversOf(["servicebus", "blob"]));

    private KillSwitch At(KillPoint point, int nth = 1) => new(new KillOrder(point, nth), () => kills++);
}

using EventHubThroughput.Model.Predicting;
using EventHubThroughput.Profiles;

namespace EventHubThroughput.Model.Tests;

internal static class Some
{
    /// <summary>A profile of constant latencies, in milliseconds, whose sender serves sends one after another for the serial part.</summary>
    public static LatencyProfile Constant(double send = 18.52, double blob = 9.35, double checkpoint = 24.7, double receive = 0, double serial = 0) =>
        new("constant")
        {
            MessageSend = new() { SerialMilliseconds = serial, MeanMilliseconds = send - serial },
            BlobWrite = new() { MeanMilliseconds = blob },
            CheckpointWrite = new() { MeanMilliseconds = checkpoint },
            EventReceive = new() { MeanMilliseconds = receive },
        };

    /// <summary>The same with gamma latencies of one coefficient of variation.</summary>
    public static LatencyProfile Gamma(double variation, double send = 18.52, double blob = 9.35, double checkpoint = 24.7) =>
        new("gamma")
        {
            MessageSend = LatencyLaw.Spread(DrawShape.Gamma, send, variation),
            BlobWrite = LatencyLaw.Spread(DrawShape.Gamma, blob, variation),
            CheckpointWrite = LatencyLaw.Spread(DrawShape.Gamma, checkpoint, variation),
        };

    public static SimulatedFigures Simulated(ModelSettings settings) => Simulation.Run(settings, StrategyRule.Find(settings.Strategy)!)!;

    public static double Rate(ModelSettings settings) => Simulated(settings).EventsPerSecond;
}

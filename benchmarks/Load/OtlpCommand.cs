using System.CommandLine;
using System.Globalization;
using System.Net;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Telemetry.Otlp;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Load;

/// <summary>
/// Measures the cost of metrics for a collector. Events are reported to the observers of a processing, with and without an export, and the last export is
/// timed separately. The collector runs in this process, so the figures include its time and are upper bounds.
/// </summary>
internal static class OtlpCommand
{
    private const int Batch = 10;

    private static readonly Option<int> Rounds = Options.Integer("--rounds", "rounds, each with and without", 5, 1, 100);
    private static readonly Option<int> Events = Options.Integer("--events", "events of a half of a round", 1_000_000, 10_000, 100_000_000);

    public static RootCommand Create(CommandConsole console, TimeProvider clock)
    {
        var root = new RootCommand("Measures what the metrics of --otlp cost, in this process.") { Rounds, Events };
        root.SetAction(
            async (parsed, cancellationToken) =>
            {
                await using var collector = await StartCollectorAsync(cancellationToken);
                var endpoint = new Uri(collector.Urls.First());
                var count = parsed.GetValue(Events);
                List<Cost> without = [];
                List<Cost> with = [];

                // The first round compiles.
                for (var round = -1; round < parsed.GetValue(Rounds); round++)
                {
                    var silent = await SpendAsync(clock, count, null);
                    var exported = await SpendAsync(clock, count, endpoint);
                    if (round >= 0)
                    {
                        without.Add(silent);
                        with.Add(exported);
                    }
                }

                var added = with.Zip(without, static (more, less) => more.EventUs - less.EventUs).ToList();
                var exports = with.Select(static cost => cost.ExportMs).ToList();
                await console.Output.WriteLineAsync(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"an event: {added.Median():F2} us of processor time more with metrics sent, median of {added.Count} rounds ({added.Min():F2} to {added.Max():F2}); an export: {exports.Median():F1} ms ({exports.Min():F1} to {exports.Max():F1}), collector included"
                    )
                );
                return 0;
            }
        );
        return root;
    }

    // Processor time of this process.
    private static async Task<Cost> SpendAsync(TimeProvider clock, int count, Uri? endpoint)
    {
        using var telemetry = new ProcessingTelemetry(
            new MessagingSettings
            {
                EventHub = MessagingConnectionString.Parse("Endpoint=sb://measured.example;SharedAccessKeyName=a;SharedAccessKey=a2V5"),
                EventHubName = "hub",
            }
        );
        await using var export = endpoint is null
            ? null
            : OtlpExport.Start(
                new OtlpOptions(endpoint, OtlpSignals.Metrics),
                new OtlpResource("load", "1", "measured") { Sources = [ProcessingTelemetry.Name] },
                static notice => throw new InvalidOperationException(notice)
            );
        var observers = telemetry.ObserversOf("0");
        var events = Enumerable
            .Range(0, Batch)
            .Select(static sequence => new ReceivedEvent
            {
                PartitionId = "0",
                SequenceNumber = sequence,
                Offset = "0",
                Body = ReadOnlyMemory<byte>.Empty,
            })
            .ToList();
        var spent = Environment.CpuUsage.TotalTime;
        var told = 0;
        for (; told < count; told += Batch)
        {
            Notify(observers, events, clock);
        }

        var ofEvents = Environment.CpuUsage.TotalTime - spent;
        if (export is not null)
        {
            await export.DisposeAsync();
        }

        return new Cost(ofEvents.TotalMicroseconds / told, (Environment.CpuUsage.TotalTime - spent - ofEvents).TotalMilliseconds);
    }

    // Reports a batch as a processing does.
    private static void Notify(IReadOnlyList<PartitionObserver> observers, List<ReceivedEvent> events, TimeProvider clock)
    {
        var began = clock.GetTimestamp();
        foreach (var observer in observers)
        {
            observer.BatchReceived(events.Count, TimeSpan.FromMilliseconds(1));
            observer.HandedOver(events, events.Count);
            foreach (var received in events)
            {
                observer.Completed(new EventCompletion(received, clock.GetElapsedTime(began) + TimeSpan.FromMilliseconds(20), 1, DeadLettered: false));
            }

            observer.CheckpointStored(new EventPosition(0, "0"), events.Count, TimeSpan.FromMilliseconds(10));
        }
    }

    private static async Task<WebApplication> StartCollectorAsync(CancellationToken cancellationToken)
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore().ConfigureKestrel(static kestrel => kestrel.Listen(IPAddress.Loopback, 0));
        var collector = builder.Build();
        collector.Run(static async context =>
        {
            await context.Request.Body.CopyToAsync(Stream.Null, context.RequestAborted);
            context.Response.ContentLength = 0;
        });
        await collector.StartAsync(cancellationToken);
        return collector;
    }

    private readonly record struct Cost(double EventUs, double ExportMs);
}

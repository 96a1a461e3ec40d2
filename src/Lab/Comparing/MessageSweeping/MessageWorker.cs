using System.Text.Json;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Azure;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Lab.Reporting;

namespace EventHubThroughput.Lab.Comparing.MessageSweeping;

/// <summary>One of the processes of a processor sweep, until its standard input ends. Its last line of standard output is its report.</summary>
/// <param name="options">The worker's options.</param>
/// <param name="settings">Where the services are.</param>
/// <param name="output">Where it reports.</param>
/// <param name="clock">The clock.</param>
internal sealed class MessageWorker(WorkerOptions options, MessagingSettings settings, TextWriter output, TimeProvider clock)
{
    /// <summary>The line that the measured worker writes when measuring begins.</summary>
    public const string Measuring = "measuring";

    private const int BodyBytes = 12;
    private const int LargestBatch = 100;
    private const int BatchesUnderWay = 64;
    private const int DrainPrefetch = 2_000;

    private static readonly TimeSpan FeedInterval = TimeSpan.FromMilliseconds(25);
    private static readonly TimeSpan LastLook = TimeSpan.FromSeconds(1);

    // The default policy of a message processor: five retries, from 2 s on, up to 60 s.
    private static readonly RetryOptions Patient = new MessageProcessorOptions().Retry;

    public async Task<int> RunAsync(CancellationToken stop)
    {
        var report = options.Role switch
        {
            WorkerRole.Feed => await FeedAsync(stop),
            WorkerRole.Drain => await DrainAsync(stop),
            _ => await ForwardAsync(stop),
        };
        await output.WriteLineAsync(JsonSerializer.Serialize(report, MessageSweepContext.Default.WorkerReport));
        return 0;
    }

    private async Task<WorkerReport> ForwardAsync(CancellationToken stop)
    {
        var report = await new ForwardMeasurement(options, CreateForwarder(), clock).RunAsync(() => output.WriteLine(Measuring), stop);
        var family = ClientFamilies.All.First(known => known.Name == options.Clients);
        return report with { Program = ResultDocument.DescribeProgram(ProgramVersion.Text, family) };
    }

    private Forwarder CreateForwarder()
    {
        var patient = new ClientOptions { Retry = Patient, TimeProvider = clock };
        return options.Clients == ClientFamily.Official
            ? Forwarder.OfPackage(options, new OfficialClients(settings, patient), new OfficialClients(settings, patient))
            : Forwarder.OfProject(options, Connect(RetryOptions.Once), Connect(Patient), clock);
    }

    // In an open loop: a slow service does not slow the schedule down before many batches are under way.
    private async Task<WorkerReport> FeedAsync(CancellationToken stop)
    {
        await using var clients = Connect(Patient);
        await using var sender = clients.CreateMessageSender(options.Entity);
        using var underWay = new SemaphoreSlim(BatchesUnderWay);
        using var timer = new PeriodicTimer(FeedInterval, clock);
        List<Task> sending = [];
        var begun = clock.GetTimestamp();
        long sent = 0;
        try
        {
            while (await timer.WaitForNextTickAsync(stop))
            {
                for (var due = (long)(clock.GetElapsedTime(begun).TotalSeconds * options.Rate); sent < due; )
                {
                    await underWay.WaitAsync(stop);
                    var count = (int)Math.Min(LargestBatch, due - sent);
                    sending.Add(SendAsync(sender, sent, count, underWay));
                    sent += count;
                }

                sending.RemoveAll(static one => one.IsCompletedSuccessfully);
            }
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested) { }

        await Task.WhenAll(sending);
        return new WorkerReport { Messages = sent, Seconds = clock.GetElapsedTime(begun).TotalSeconds };
    }

    private static async Task SendAsync(IMessageSender sender, long first, int count, SemaphoreSlim underWay)
    {
        try
        {
            var messages = Enumerable.Range(0, count).Select(index => new OutgoingMessage { MessageId = $"m{first + index}", Body = new byte[BodyBytes] });

            // A batch that was begun is sent even after a stop.
            await sender.SendBatchAsync([.. messages], CancellationToken.None);
        }
        finally
        {
            underWay.Release();
        }
    }

    // Receives to the last message: a stop ends the waiting, and the last receive returns nothing.
    private async Task<WorkerReport> DrainAsync(CancellationToken stop)
    {
        await using var clients = Connect(Patient);
        await using var receiver = clients.CreateMessageReceiver(
            options.Entity,
            new MessageReceiverOptions { ReceiveAndDelete = true, Prefetch = DrainPrefetch }
        );
        var begun = clock.GetTimestamp();
        long taken = 0;
        while (true)
        {
            var messages = await receiver.ReceiveAsync(DrainPrefetch, LastLook, CancellationToken.None);
            taken += messages.Count;
            if (messages.Count == 0 && stop.IsCancellationRequested)
            {
                return new WorkerReport { Messages = taken, Seconds = clock.GetElapsedTime(begun).TotalSeconds };
            }
        }
    }

    private BuiltInClients Connect(RetryOptions retry) => new(settings, new BuiltInClientOptions { Retry = retry, TimeProvider = clock });
}

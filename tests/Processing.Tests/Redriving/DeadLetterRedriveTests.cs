using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Events;
using EventHubThroughput.Processing.Sinks;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Processing.Tests.Redriving;

public sealed class DeadLetterRedriveTests
{
    private readonly RedriveBench bench = new();

    public static TheoryData<EventBodyKind, string?, int, string?> Events =>
        new()
        {
            { EventBodyKind.Data, "text/plain", 0, null },
            { EventBodyKind.Data, null, 12, "key" },
            { EventBodyKind.Data, "application/octet-stream", 12, "Schlüssel" },
            { EventBodyKind.Value, "no header carries this ", 4000, "" },
            { EventBodyKind.Sequence, "", 9000, new string('k', 128) },
        };

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Theory]
    [MemberData(nameof(Events))]
    public async Task Makes_the_very_event_again(EventBodyKind kind, string? type, int properties, string? key)
    {
        var bytes = new byte[properties];
        Random.Shared.NextBytes(bytes);
        var given = new ReceivedEvent
        {
            PartitionId = "a/b c",
            SequenceNumber = 4711,
            Offset = "4294967296:ä",
            EnqueuedTime = new DateTimeOffset(2026, 11, 23, 1, 2, 3, 456, TimeSpan.Zero),
            PartitionKey = key,
            Body = new byte[] { 1, 0, 255 },
            BodyKind = kind,
            ContentType = type,
            EncodedProperties = bytes,
        };
        await bench.GiveUpAsync(given, "handler");
        ReceivedEvent? got = null;
        var handler = SinkDescriptor.Of(
            (received, _) =>
            {
                got = received;
                return ValueTask.CompletedTask;
            }
        );

        await using var redrive = new DeadLetterRedrive(new ContainerClients(bench.Container), RedriveBench.Settings, new RedriveOptions(), handler);
        var result = await redrive.RunAsync(Cancellation);

        Assert.True(result.IsEmpty);
        Assert.Empty(bench.Container.Blobs);
        Assert.Equal(
            (given.PartitionId, given.SequenceNumber, given.Offset, given.EnqueuedTime, given.PartitionKey, given.BodyKind, given.ContentType),
            (got!.PartitionId, got.SequenceNumber, got.Offset, got.EnqueuedTime, got.PartitionKey, got.BodyKind, got.ContentType)
        );
        Assert.Equal(given.Body.ToArray(), got.Body.ToArray());
        Assert.Equal(bytes, got.EncodedProperties.ToArray());
    }

    [Fact]
    public async Task An_event_made_again_has_its_properties()
    {
        var given = new ReceivedEvent
        {
            PartitionId = "0",
            SequenceNumber = 1,
            Offset = "1",
            Body = default,
            EncodedProperties = PlainProperties.Encode([new("n", 42L)]),
        };
        await bench.GiveUpAsync(given, "handler");
        object? got = null;
        var handler = SinkDescriptor.Of(
            (received, _) =>
            {
                got = received.Properties["n"];
                return ValueTask.CompletedTask;
            }
        );

        await using var redrive = new DeadLetterRedrive(new ContainerClients(bench.Container), RedriveBench.Settings, new RedriveOptions(), handler);
        var result = await redrive.RunAsync(Cancellation);

        Assert.True(result.IsEmpty);
        Assert.Equal(42L, got);
    }

    [Fact]
    public async Task Writes_to_the_sinks_that_refused_and_to_no_other_in_order()
    {
        await bench.GiveUpAsync(11, "blob");
        await bench.GiveUpAsync(2, "servicebus");
        await bench.GiveUpAsync(7, "servicebus", "blob");

        var result = await bench.RunAsync(new RedriveOptions(), Cancellation);

        Assert.Equal([2L, 7L], bench.ServiceBus.Stored);
        Assert.Equal([7L, 11L], bench.Blob.Stored);
        Assert.Empty(bench.Container.Blobs);
        Assert.Equal((ProcessingEnd.Drained, 3L, 0L, 0L), (result.End, result.Redriven, result.Refused, result.Unreadable));
        Assert.True(result.IsEmpty);
    }

    [Fact]
    public async Task Does_nothing_where_nothing_is()
    {
        var result = await bench.RunAsync(new RedriveOptions(), Cancellation);

        Assert.True(result.IsEmpty);
        Assert.Equal(0, result.Redriven);
    }

    [Fact]
    public async Task A_dead_letter_that_is_refused_again_stays_with_the_new_reason_and_the_run_continues()
    {
        await bench.GiveUpAsync(1, "servicebus");
        await bench.GiveUpAsync(2, "servicebus", "blob");
        await bench.GiveUpAsync(3, "blob");
        bench
            .ServiceBus.FailOn(1, new MessagingException(FailureKind.Permanent, "refused 17 times"))
            .FailOn(2, new MessagingException(FailureKind.Permanent, "refused 8 times"));

        var result = await bench.RunAsync(new RedriveOptions(), Cancellation);

        Assert.Equal((1L, 2L), (result.Redriven, result.Refused));
        Assert.Equal([new DeadLettersLeft("servicebus", "servicebus: refused # times", 2)], result.Left);
        Assert.False(result.IsEmpty);
        var record = bench.Container.Blobs[RedriveBench.GetName(2)].Metadata!;
        Assert.Equal(("servicebus", "servicebus: refused 8 times", "13"), (record["sinks"], record["reason"], record["attempts"]));
        Assert.DoesNotContain(DeadLetterFields.Claim, record.Keys);

        // The blob store has the second event by now.
        var next = await bench.RunAsync(new RedriveOptions(), Cancellation);
        Assert.True(next.IsEmpty);
        Assert.Equal([2L, 3L], bench.Blob.Stored);
        Assert.Equal([1L, 2L], bench.ServiceBus.Stored);
    }

    [Fact]
    public async Task Only_looks_when_asked_to()
    {
        await bench.GiveUpAsync(1, "servicebus");
        bench.Container.Before = static (verb, _) => verb == "list" ? Task.CompletedTask : throw new InvalidOperationException(verb);

        var result = await bench.RunAsync(new RedriveOptions { DryRun = true }, Cancellation);

        Assert.Empty(bench.ServiceBus.Begun);
        var step = Assert.Single(bench.Steps);
        Assert.Equal((RedriveBench.GetName(1), RedriveOutcome.Waiting, "servicebus: too large"), (step.Name, step.Outcome, step.Reason));
        Assert.Equal([new DeadLettersLeft("servicebus", "servicebus: too large", 1)], result.Left);
    }

    [Theory]
    [InlineData("sinks", null, "cannot be redriven: no sinks in its metadata, as an earlier version stored it")]
    [InlineData("offset", null, "cannot be redriven: no offset in its metadata, as an earlier version stored it")]
    [InlineData("reason", null, "is not a dead letter: its metadata has no reason, hash or length")]
    [InlineData("partition", "1", "cannot be redriven: partition or sequence number of its metadata are not those of its name")]
    [InlineData("sha256", "00", "cannot be redriven: its bytes do not match its metadata")]
    [InlineData("bodykind", "Novel", "cannot be redriven: its kind of body is unknown")]
    [InlineData("properties", ".properties", "cannot be redriven: its properties blob is missing")]
    public async Task Leaves_and_names_what_it_cannot_make_an_event_of(string field, string? value, string problem)
    {
        await bench.GiveUpAsync(1, "blob");
        await bench.GiveUpAsync(2, "blob");
        bench.Container.Change(RedriveBench.GetName(1), field, value);

        var result = await bench.RunAsync(new RedriveOptions(), Cancellation);

        Assert.Equal([2L], bench.Blob.Stored);
        Assert.Equal((1L, 1L, false), (result.Redriven, result.Unreadable, result.IsEmpty));
        Assert.Equal(problem, bench.Steps.Single(step => step.Outcome == RedriveOutcome.Unreadable).Reason);
        Assert.Equal(RedriveBench.GetName(1), Assert.Single(bench.Container.Blobs.Keys));
    }

    [Fact]
    public async Task Leaves_and_names_a_foreign_blob_and_is_silent_of_other_hubs()
    {
        await bench.GiveUpAsync(1, "blob");
        await bench.Container.UploadAsync(new BlobUpload { Name = "notes.txt", Content = "secret"u8.ToArray() }, Cancellation);
        await new DeadLetterWriter(bench.Container, "another").StoreAsync(Some.Event(1), "blob", "no", 1, Cancellation);

        var result = await bench.RunAsync(new RedriveOptions(), Cancellation);

        Assert.Equal("notes.txt", bench.Steps.Single(step => step.Outcome == RedriveOutcome.Unreadable).Name);
        Assert.DoesNotContain(bench.Steps, step => step.Reason.Contains("secret", StringComparison.Ordinal));
        Assert.Equal([new DeadLettersLeft("", "is not a dead letter: its name is not that of an event", 1)], result.Left);
        Assert.Equal(["another/0/00000000000000000001", "notes.txt"], bench.Container.Blobs.Keys.Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task A_dead_letter_of_an_absent_sink_is_reported()
    {
        await bench.GiveUpAsync(1, "elsewhere", "blob");

        var result = await bench.RunAsync(new RedriveOptions(), Cancellation);

        Assert.Equal([1L], bench.Blob.Stored);
        Assert.Equal([new DeadLettersLeft("elsewhere", "elsewhere: the consumer has no such sink", 1)], result.Left);
    }

    [Fact]
    public async Task Removes_the_properties_beside_a_dead_letter_with_it()
    {
        await bench.GiveUpAsync(WithProperties(), "blob");
        Assert.Equal(2, bench.Container.Blobs.Count);

        var result = await bench.RunAsync(new RedriveOptions(), Cancellation);

        Assert.Equal(1, result.Redriven);
        Assert.Empty(bench.Container.Blobs);
    }

    [Fact]
    public async Task Leaves_a_dead_letter_that_a_pump_gives_up_for_another_sink_meanwhile()
    {
        await bench.GiveUpAsync(WithProperties(), "blob");
        bench.Blob.On(1, async _ => await bench.GiveUpAsync(WithProperties(), "servicebus"));

        var result = await bench.RunAsync(new RedriveOptions(), Cancellation);

        Assert.Equal("servicebus", bench.Container.Blobs[RedriveBench.GetName(1)].Metadata!["sinks"]);
        Assert.Equal(1, result.Left!.Single().Count);
        Assert.True((await bench.RunAsync(new RedriveOptions(), Cancellation)).IsEmpty);
        Assert.Equal([1L], bench.ServiceBus.Stored);
    }

    [Fact]
    public async Task The_redrive_ends_when_a_service_has_gone_and_reports_the_remaining_letters()
    {
        await bench.GiveUpAsync(1, "blob");
        await bench.GiveUpAsync(2, "blob");
        bench.Blob.FailOn(1, new MessagingException(FailureKind.NotFound, "container 'archive' does not exist"));

        var result = await bench.RunAsync(new RedriveOptions(), Cancellation);

        Assert.Equal([new ProcessingFault(ProcessingFaultKind.Dependency, "blob: container 'archive' does not exist")], result.Faults);
        Assert.Equal([new DeadLettersLeft("blob", "blob: too large", 2)], result.Left);
        Assert.DoesNotContain(bench.Container.Blobs.Values, blob => blob.Metadata!.ContainsKey(DeadLetterFields.Claim));
        Assert.Throws<ProcessingFaultException>(result.ThrowIfFaulted);
    }

    [Fact]
    public async Task Ends_without_a_container()
    {
        bench.Container.Before = static (_, _) => throw new MessagingException(FailureKind.NotFound, "container 'deadletters' does not exist");

        var result = await bench.RunAsync(new RedriveOptions(), Cancellation);

        Assert.Equal([new ProcessingFault(ProcessingFaultKind.Dependency, "dead letters: container 'deadletters' does not exist")], result.Faults);
        Assert.Null(result.Left);
        Assert.False(result.IsEmpty);
    }

    [Fact]
    public async Task Finishes_what_is_being_written_when_it_is_asked_to_stop()
    {
        await bench.GiveUpAsync(1, "blob");
        await bench.GiveUpAsync(2, "blob");
        using var stop = new CancellationTokenSource();
        bench.Blob.On(1, _ => stop.CancelAsync());

        var result = await bench.RunAsync(new RedriveOptions(), stop.Token);

        Assert.Equal((ProcessingEnd.Stopped, 1L), (result.End, result.Redriven));
        Assert.Equal([1L], bench.Blob.Stored);
        Assert.Equal([new DeadLettersLeft("blob", "blob: too large", 1)], result.Left);
    }

    [Theory]
    [InlineData(0, 5, 30, 30, "MaxConcurrency 0: allowed 1 to 4096")]
    [InlineData(1, 101, 30, 30, "Retries 101: allowed 0 to 100")]
    [InlineData(1, 5, 0, 30, "OperationLimit 00:00:00: allowed 00:00:00.0010000 to 00:10:00")]
    [InlineData(1, 5, 30, -1, "DrainLimit -00:00:01: allowed 00:00:00.0010000 to 1.00:00:00")]
    public void Refuses_options_that_cannot_be_meant(int degree, int retries, int operation, int drain, string problem)
    {
        var options = new RedriveOptions
        {
            MaxConcurrency = degree,
            Retries = retries,
            OperationLimit = TimeSpan.FromSeconds(operation),
            DrainLimit = TimeSpan.FromSeconds(drain),
        };

        Assert.Equal([problem], options.Problems());
        Assert.Equal(
            [problem],
            Assert.Throws<InvalidOptionsException>(() => new DeadLetterRedrive(new ContainerClients(bench.Container), RedriveBench.Settings, options)).Problems
        );
    }

    private static ReceivedEvent WithProperties() =>
        new()
        {
            PartitionId = "0",
            SequenceNumber = 1,
            Offset = "1",
            Body = new byte[4],
            EncodedProperties = new byte[9000],
        };
}

using System.Text;
using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Processing.Redriving;
using EventHubThroughput.Pump.Retrying;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad.FromVerify;

/// <summary>Writes a dead letter again, which the consumer has stored as it should, and leaves out a step or does it too early.</summary>
public sealed class RedrivesCarelesslyTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(1);

    [Fact]
    public void Writes_again_under_the_claim_of_before_when_it_starts_again() =>
        Convicts(
            ["duplicateServiceBus"],
            async (process, deadLetterStore, letter) =>
            {
                var claimed = await ClaimAsync(deadLetterStore, letter);
                await WriteAsync(process, deadLetterStore, claimed, claimed.Sinks);

                // Killed before the removal. The next start finds the claim under its own name.
                await WriteAsync(process, deadLetterStore, claimed, claimed.Sinks);
                await SettleAsync(deadLetterStore, claimed, claimed.Sinks);
            }
        );

    [Fact]
    public void Two_concurrent_redrives_without_a_claim_are_convicted() =>
        Convicts(
            ["duplicateServiceBus"],
            async (process, deadLetterStore, letter) =>
            {
                var other = process.Services.Start();
                await Task.WhenAll(WriteAsync(process, deadLetterStore, letter, letter.Sinks), WriteAsync(other, deadLetterStore, letter, letter.Sinks));
                await SettleAsync(deadLetterStore, letter, letter.Sinks);
            }
        );

    [Fact]
    public void Writes_to_every_sink_where_the_archive_alone_is_named() =>
        Convicts(
            ["duplicateServiceBus"],
            async (process, deadLetterStore, letter) =>
            {
                var claimed = await ClaimAsync(deadLetterStore, letter);
                await WriteAsync(process, deadLetterStore, claimed, [ServiceBusSink.SinkName, BlobSink.SinkName]);
                await SettleAsync(deadLetterStore, claimed, claimed.Sinks);
            },
            Place.Archive
        );

    [Fact]
    public void Removes_it_and_is_killed_before_it_writes() =>
        Convicts(["lost"], async (_, deadLetterStore, letter) => await SettleAsync(deadLetterStore, await ClaimAsync(deadLetterStore, letter), letter.Sinks));

    [Fact]
    public void Removes_it_after_the_first_of_two_sinks() =>
        Convicts(
            ["lost"],
            async (process, deadLetterStore, letter) =>
            {
                var claimed = await ClaimAsync(deadLetterStore, letter);
                await WriteAsync(process, deadLetterStore, claimed, [ServiceBusSink.SinkName]);
                await SettleAsync(deadLetterStore, claimed, claimed.Sinks);
            },
            Place.Queue,
            Place.Archive
        );

    [Fact]
    public void Strikes_out_the_sink_that_has_not_written_it() =>
        Convicts(
            ["lost", "redundantDeadLetters"],
            async (process, deadLetterStore, letter) =>
            {
                var claimed = await ClaimAsync(deadLetterStore, letter);
                await WriteAsync(process, deadLetterStore, claimed, [ServiceBusSink.SinkName]);
                await SettleAsync(deadLetterStore, claimed, [BlobSink.SinkName]);
            },
            Place.Queue,
            Place.Archive
        );

    [Fact]
    public void Leaves_it_there_when_it_is_written() =>
        Convicts(
            ["redundantDeadLetters"],
            async (process, deadLetterStore, letter) =>
            {
                var claimed = await ClaimAsync(deadLetterStore, letter);
                await WriteAsync(process, deadLetterStore, claimed, claimed.Sinks);
                await SettleAsync(deadLetterStore, claimed, []);
            }
        );

    [Fact]
    public void Writes_the_body_as_text_with_a_line_end() =>
        Convicts(
            ["corrupt"],
            async (process, deadLetterStore, letter) =>
            {
                var claimed = await ClaimAsync(deadLetterStore, letter);
                var right = (await deadLetterStore.ReadAsync(claimed, CancellationToken.None)).Event;
                await WriteAsync(process, ChangedBody.Of(right, Encoding.UTF8.GetBytes(Encoding.UTF8.GetString(right.Body.Span) + "\n")), claimed.Sinks);
                await SettleAsync(deadLetterStore, claimed, claimed.Sinks);
            }
        );

    [Theory]
    [InlineData(0)]
    [InlineData(7_200_000)]
    public void Claims_it_for_no_time_or_for_two_hours(int milliseconds) =>
        Convicts(
            ["corrupt"],
            async (process, deadLetterStore, letter) =>
            {
                var claimed = await deadLetterStore.TryClaimAsync(letter, TimeSpan.FromMilliseconds(milliseconds), CancellationToken.None);
                await WriteAsync(process, deadLetterStore, claimed!, letter.Sinks);
                await SettleAsync(deadLetterStore, claimed!, letter.Sinks);
            }
        );

    [Fact]
    public void Claimed_written_to_the_sinks_that_it_names_and_removed_it_is_clean()
    {
        Place[][] refusing =
        [
            [Place.Queue],
            [Place.Archive],
            [Place.Queue, Place.Archive],
        ];
        foreach (var places in refusing)
        {
            Trial.Clears(schedule =>
                RunAsync(
                    schedule,
                    async (process, deadLetterStore, letter) =>
                    {
                        var claimed = await ClaimAsync(deadLetterStore, letter);
                        await WriteAsync(process, deadLetterStore, claimed, claimed.Sinks);
                        await SettleAsync(deadLetterStore, claimed, claimed.Sinks);
                    },
                    places
                )
            );
        }
    }

    [Fact]
    public void Claimed_again_after_a_kill_and_written_again_it_is_clean() =>
        Trial.Clears(schedule =>
            RunAsync(
                schedule,
                async (process, deadLetterStore, letter) =>
                {
                    var claimed = await ClaimAsync(deadLetterStore, letter);
                    await WriteAsync(process, deadLetterStore, claimed, claimed.Sinks);

                    var next = GetStore(process.Services.Start());
                    var again = await ClaimAsync(next, (await next.FindAsync(letter.Name, CancellationToken.None))!);
                    await WriteAsync(process.Services.Start(), next, again, again.Sinks);
                    await SettleAsync(next, again, again.Sinks);
                },
                []
            )
        );

    private static void Convicts(string[] charges, Func<RecordedProcess, DeadLetterStore, DeadLetter, Task> redrive, params Place[] refusing) =>
        Trial.Convicts(charges, schedule => RunAsync(schedule, redrive, refusing));

    private static async Task<Verdict> RunAsync(Schedule schedule, Func<RecordedProcess, DeadLetterStore, DeadLetter, Task> redrive, params Place[] refusing)
    {
        var (services, _) = await GivingUp.RunAsync(schedule, GivingUp.StoreAsync, refusing);
        var process = services.Start();
        var deadLetterStore = GetStore(process);
        await foreach (var letter in deadLetterStore.ListAsync(CancellationToken.None))
        {
            await redrive(process, deadLetterStore, letter);
        }

        return services.Judge();
    }

    private static DeadLetterStore GetStore(RecordedProcess process) =>
        new(process.DeadLetters, RecordedServices.Hub, new RetryRule(), process.Services.Schedule.Clock);

    private static async Task<DeadLetter> ClaimAsync(DeadLetterStore deadLetterStore, DeadLetter letter) =>
        (await deadLetterStore.TryClaimAsync(letter, Limit, CancellationToken.None))!;

    private static async Task WriteAsync(RecordedProcess process, DeadLetterStore deadLetterStore, DeadLetter letter, IReadOnlyList<string> sinks) =>
        await WriteAsync(process, (await deadLetterStore.ReadAsync(letter, CancellationToken.None)).Event, sinks);

    private static async Task WriteAsync(RecordedProcess process, ReceivedEvent received, IReadOnlyList<string> sinks)
    {
        foreach (var sink in NaivePump.GetSinks(process).Where(sink => sinks.Contains(sink.Name)))
        {
            await sink.WriteAsync(received, CancellationToken.None);
        }
    }

    private static Task<bool> SettleAsync(DeadLetterStore deadLetterStore, DeadLetter letter, IReadOnlyList<string> written) =>
        deadLetterStore.SettleAsync(letter, [.. written], refusal: null, keepsClaim: false, besides: null, CancellationToken.None);
}

using System.CommandLine;
using System.Globalization;
using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Load.Coding;

/// <summary>Measures encoding and decoding of the frames and messages of every send, on one thread.</summary>
internal static class CodecCommand
{
    private static readonly Option<int> Rounds = Options.Integer("--rounds", "rounds of each row", 5, 1, 100);
    private static readonly Option<int> Count = Options.Integer("--count", "operations in a round", 200_000, 1_000, 100_000_000);

    public static RootCommand Create(CommandConsole console, TimeProvider clock)
    {
        var root = new RootCommand("Measures encoding and decoding of frames and messages.") { Rounds, Count };
        root.SetAction(
            async (parsed, _) =>
            {
                await console.Output.WriteLineAsync(
                    "| | library | bytes | encode, ns: median | lowest | highest | B | decode, ns: median | lowest | highest | B |"
                );
                await console.Output.WriteLineAsync("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
                foreach (var row in CodecRow.All)
                {
                    var size = row.Encode();
                    AmqpCommand.Expect(row.Decode());
                    var encode = Measure(() => row.Encode() == size, parsed.GetValue(Rounds), parsed.GetValue(Count), clock);
                    var decode = Measure(row.Decode, parsed.GetValue(Rounds), parsed.GetValue(Count), clock);
                    await console.Output.WriteLineAsync($"| {row.Name} | {row.Library} | {size} | {encode} | {decode} |");
                }

                return 0;
            }
        );
        return root;
    }

    private static string Measure(Func<bool> operation, int rounds, int count, TimeProvider clock)
    {
        List<double> nanoseconds = [];
        double bytes = 0;

        // The first round compiles and is not counted.
        for (var round = -1; round < rounds; round++)
        {
            var (allocated, began) = (GC.GetAllocatedBytesForCurrentThread(), clock.GetTimestamp());
            for (var number = 0; number < count; number++)
            {
                AmqpCommand.Expect(operation());
            }

            if (round >= 0)
            {
                nanoseconds.Add(clock.GetElapsedTime(began).TotalNanoseconds / count);
                bytes = (double)(GC.GetAllocatedBytesForCurrentThread() - allocated) / count;
            }
        }

        return string.Create(CultureInfo.InvariantCulture, $"{nanoseconds.Median():F0} | {nanoseconds.Min():F0} | {nanoseconds.Max():F0} | {bytes:F0}");
    }
}

using System.Text.RegularExpressions;
using Xunit;

namespace EventHubThroughput.Emulator.Tests.Processes;

/// <summary>Real processes, real kills: no acknowledged write may be lost, and the journal records all of them, once.</summary>
public sealed partial class KilledEmulatorTests
{
    private const int Kills = 20;

    [Theory]
    [InlineData("second", 1)]
    [InlineData("never", 2)]
    public async Task Everything_acknowledged_survives_kills_at_random_moments(string sync, int seed)
    {
        var random = new Random(seed);
        var data = Directory.CreateTempSubdirectory("eht-killed-");
        var journal = Path.Combine(Directory.CreateTempSubdirectory("eht-killed-").FullName, "journal");
        try
        {
            var writes = new AcknowledgedWrites();
            IReadOnlyDictionary<string, string>? before = null;
            for (var kill = 1; kill <= Kills / 2; kill++)
            {
                await using (var emulator = await EmulatorProcess.StartAsync($"--data {data.FullName} --journal {journal} --sync {sync}"))
                {
                    before ??= emulator.Settings;
                    await writes.VerifyAsync(emulator, journal);
                    await writes.WriteAndKillAsync(emulator, random.Next(1, 400));

                    // Key and ports survive too. Clients continue with them, unless another program has taken a port meanwhile.
                    Assert.Equal(before.Select(WithoutPort), emulator.Settings.Select(WithoutPort));
                    var (_, error) = await emulator.EndAsync();
                    Assert.True(
                        before.SequenceEqual(emulator.Settings) || error.Contains("the port of the last start, is in use", StringComparison.Ordinal),
                        error
                    );
                    before = emulator.Settings;
                }

                TestContext.Current.TestOutputHelper?.WriteLine($"seed {seed}, kill {kill}: {writes}");
            }

            await using var last = await EmulatorProcess.StartAsync($"--data {data.FullName} --journal {journal}");
            await writes.VerifyAsync(last, journal);
            await last.SignalAsync("TERM");
            Assert.Equal(0, (await last.EndAsync()).ExitCode);
        }
        finally
        {
            data.Delete(recursive: true);
            Directory.Delete(Path.GetDirectoryName(journal)!, recursive: true);
        }
    }

    private static (string Name, string Value) WithoutPort(KeyValuePair<string, string> setting) => (setting.Key, Port().Replace(setting.Value, ":"));

    [GeneratedRegex(":[0-9]+", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Port();
}

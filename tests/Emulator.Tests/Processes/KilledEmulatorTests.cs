using Xunit;

namespace EventHubThroughput.Emulator.Tests.Processes;

/// <summary>Real processes, real kills: nothing that was acknowledged may be lost.</summary>
public sealed class KilledEmulatorTests
{
    private const int Kills = 20;

    [Theory]
    [InlineData("second", 1)]
    [InlineData("never", 2)]
    public async Task Everything_acknowledged_survives_kills_at_random_moments(string sync, int seed)
    {
        var random = new Random(seed);
        var data = Directory.CreateTempSubdirectory("eht-killed-");
        try
        {
            var writes = new AcknowledgedWrites();
            IReadOnlyDictionary<string, string>? first = null;
            for (var kill = 1; kill <= Kills / 2; kill++)
            {
                await using (var emulator = await EmulatorProcess.StartAsync($"--data {data.FullName} --sync {sync}"))
                {
                    // Key and ports survive too: clients go on with what they know.
                    first ??= emulator.Settings;
                    Assert.Equal(first, emulator.Settings);
                    await writes.VerifyAsync(emulator);
                    await writes.WriteAndKillAsync(emulator, random.Next(1, 400));
                }

                TestContext.Current.TestOutputHelper?.WriteLine($"seed {seed}, kill {kill}: {writes}");
            }

            await using var last = await EmulatorProcess.StartAsync($"--data {data.FullName}");
            await writes.VerifyAsync(last);
            await last.SignalAsync("TERM");
            Assert.Equal(0, (await last.EndAsync()).ExitCode);
        }
        finally
        {
            data.Delete(recursive: true);
        }
    }
}

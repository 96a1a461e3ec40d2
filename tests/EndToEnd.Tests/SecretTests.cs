using EventHubThroughput.Processes;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Whole runs, good ones and refused ones, with keys that would be noticed anywhere: printed, scraped, or in a remaining file.</summary>
public sealed class SecretTests : IDisposable
{
    // Base64 of CANARY and WRONG, again and again: a part of a key is enough to be found, and no encoding of addresses changes it.
    private const string Key = "Q0FOQVJZQ0FOQVJZQ0FOQVJZQ0FOQVJZQ0FOQVJZQ0FO";
    private const string WrongKey = "V1JPTkdXUk9OR1dST05HV1JPTkdXUk9OR1dST05HV1JP";

    private static readonly string[] Secrets =
    [
        Key[..8],
        WrongKey[..8],
        "CANARY",
        "WRONGWRONG",
        "SharedAccessKey=",
        "AccountKey=",
        "SharedAccessSignature sr=",
        "sig=",
        "SharedKey ",
    ];

    private readonly TemporaryFolder folder = new();

    public void Dispose() => folder.Dispose();

    [Theory]
    [EachFamily]
    public async Task No_key_and_no_signature_is_in_the_output_or_the_files_of_a_run(string clients)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var emulator = await StartAsync(cancellationToken);
        Assert.All(
            (string[])["EVENTHUB_CONNECTION_STRING", "SERVICEBUS_CONNECTION_STRING", "STORAGE_CONNECTION_STRING"],
            name => Assert.Contains(Key, emulator.Settings[name], StringComparison.Ordinal)
        );

        var sent = await Programs.SenderAsync($"--clients={clients} --count 300 --ledger {emulator.File("ledger")}", emulator.Settings, cancellationToken);
        Assert.True(sent.ExitCode == 0, sent.Error);
        var port = FreePort.Next();
        await using var consumer = Programs.Start(
            "consumer",
            $"--clients={clients} --strategy=outloop --ledger {emulator.File("ledger")} --journal {emulator.Journal} --output {emulator.File("result")} --metrics-port {port} --linger 5s",
            emulator.Settings
        );
        var metrics = await Scrape.ReadAsync(port, cancellationToken);
        var run = await consumer.EndAsync(cancellationToken);
        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Contains("verdict: clean (300 of 300", run.Output, StringComparison.Ordinal);

        var files = await AssertNoneAsync(emulator, [sent, run], metrics);
        Assert.Equal(["journal", "ledger", "result"], files);
    }

    [Theory]
    [EachFamily]
    public async Task No_key_is_in_the_output_when_a_wrong_key_is_refused(string clients)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var emulator = await StartAsync(cancellationToken);
        var sent = await Programs.SenderAsync($"--clients={clients} --count 20 --ledger {emulator.File("ledger")}", emulator.Settings, cancellationToken);
        Assert.True(sent.ExitCode == 0, sent.Error);

        List<FinishedProcess> refused =
        [
            await Programs.SenderAsync($"--clients={clients} --count 5 --ledger {emulator.File("refused")}", Spoilt("EVENTHUB"), cancellationToken),
        ];
        foreach (var service in (string[])["EVENTHUB", "SERVICEBUS", "STORAGE"])
        {
            refused.Add(
                await Programs.ConsumerAsync(
                    $"--clients={clients} --strategy=outloop --no-metrics --output {emulator.File("result")}",
                    Spoilt(service),
                    cancellationToken
                )
            );
        }

        Assert.All(refused, finished => Assert.True(finished.ExitCode == 4, $"{finished.ExitCode}: {finished.Error}"));
        Assert.All(refused, finished => Assert.Contains("error: ", finished.Error, StringComparison.Ordinal));
        await AssertNoneAsync(emulator, [sent, .. refused]);

        Dictionary<string, string> Spoilt(string service)
        {
            var name = $"{service}_CONNECTION_STRING";
            return new(emulator.Settings) { [name] = emulator.Settings[name].Replace(Key, WrongKey, StringComparison.Ordinal) };
        }
    }

    // Searches the output of the emulator and its journal too. Returns the names of all files.
    private static async Task<string[]> AssertNoneAsync(EmulatorProcess emulator, IEnumerable<FinishedProcess> programs, string metrics = "")
    {
        var ended = await emulator.StopAsync(TestContext.Current.CancellationToken);
        List<string> texts = [metrics, .. programs.Append(ended).SelectMany(static finished => (string[])[finished.Output, finished.Error])];
        var files = Directory.GetFiles(Path.GetDirectoryName(emulator.Journal)!);
        foreach (var file in files)
        {
            texts.Add(await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken));
        }

        Assert.All(
            texts.SelectMany(static text => text.Split('\n')),
            line => Assert.DoesNotContain(Secrets, secret => line.Contains(secret, StringComparison.Ordinal))
        );
        return [.. files.Select(Path.GetFileName).Order(StringComparer.Ordinal)!];
    }

    private async Task<EmulatorProcess> StartAsync(CancellationToken cancellationToken)
    {
        var file = folder.File("key");
        await File.WriteAllTextAsync(file, Key, cancellationToken);
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(file, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        }

        return await EmulatorProcess.StartAsync($"--key-file {file} --partitions 1", cancellationToken);
    }
}

using System.Net;
using System.Net.Sockets;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Bad input to the real executables: one line that names what is wrong, the exit code, no stack trace.</summary>
public sealed class BadInputTests
{
    [Theory]
    [InlineData("--strategy=outlop", 2, "error: --strategy 'outlop': unknown, did you mean 'outloop'? Known: baseline, inloop, outloop, combined")]
    [InlineData("--strategy=outloop --degree 0", 2, "error: --degree 0: out of range, allowed 1 to 4096")]
    [InlineData("--strategy=outloop --degree many", 2, "error: --degree 'many': not a whole number, allowed 1 to 4096")]
    [InlineData("--strategy=outloop --degre 4", 2, "error: --degre: unknown option")]
    [InlineData("--strategy=outloop --batch 0", 2, "error: --batch 0: out of range, allowed 1 to 10000")]
    [InlineData("--strategy=outloop --drain-limit 10", 2, "error: --drain-limit '10': missing unit, write 10s, 500ms or 2m")]
    public async Task The_consumer_refuses_a_bad_option(string arguments, int exitCode, string expected)
    {
        Finished run = await Programs.ConsumerAsync(arguments, null, TestContext.Current.CancellationToken);
        AssertOneLine(run, exitCode, expected);
    }

    [Fact]
    public async Task Some_settings_and_one_missing_are_a_usage_error_of_the_consumer()
    {
        Dictionary<string, string> settings = Unreachable();
        settings.Remove("SERVICEBUS_CONNECTION_STRING");
        Finished run = await Programs.ConsumerAsync("--strategy=outloop", settings, TestContext.Current.CancellationToken);
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("error: SERVICEBUS_CONNECTION_STRING", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task No_settings_at_all_are_a_usage_error_of_the_sender()
    {
        Finished run = await Programs.SenderAsync("--count 10", null, TestContext.Current.CancellationToken);
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("error: EVENTHUB_CONNECTION_STRING", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_malformed_connection_string_is_named_and_never_shown()
    {
        Dictionary<string, string> settings = Unreachable();
        settings["EVENTHUB_CONNECTION_STRING"] = "SharedAccessKeyName=x;SharedAccessKey=c2VjcmV0LWNhbmFyeQ==";
        Finished run = await Programs.ConsumerAsync("--strategy=outloop", settings, TestContext.Current.CancellationToken);
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("error: EVENTHUB_CONNECTION_STRING: 'Endpoint' missing", run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("c2VjcmV0LWNhbmFyeQ", run.Error + run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_unreachable_host_ends_both_programs_with_exit_code_4()
    {
        Finished consumer = await Programs.ConsumerAsync("--strategy=outloop --no-metrics", Unreachable(), TestContext.Current.CancellationToken);
        Assert.Equal(4, consumer.ExitCode);
        Assert.Contains("127.0.0.1", AssertError(consumer), StringComparison.Ordinal);
        Finished sender = await Programs.SenderAsync("--count 5", Unreachable(), TestContext.Current.CancellationToken);
        Assert.Equal(4, sender.ExitCode);
        Assert.Contains("127.0.0.1", AssertError(sender), StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_does_not_exist_or_is_not_allowed_on_the_service_ends_with_exit_code_4()
    {
        CancellationToken cancellationToken = TestContext.Current.CancellationToken;
        await using EmulatorProcess emulator = await EmulatorProcess.StartAsync("", cancellationToken);

        await ExpectAsync(("EVENTHUB_NAME", "nohub"), "nohub");
        await ExpectAsync(("SERVICEBUS_QUEUE", "noqueue"), "noqueue");
        await ExpectAsync(("CHECKPOINT_CONTAINER", "nocontainer"), "nocontainer");
        await ExpectAsync(("STORAGE_CONTAINER", "noarchive"), "noarchive");
        string wrongKey = System.Text.RegularExpressions.Regex.Replace(
            emulator.Settings["EVENTHUB_CONNECTION_STRING"], "SharedAccessKey=[^;]+", "SharedAccessKey=d3Jvbmcta2V5", System.Text.RegularExpressions.RegexOptions.None, TimeSpan.FromSeconds(1));
        await ExpectAsync(("EVENTHUB_CONNECTION_STRING", wrongKey), "not authorised");

        async Task ExpectAsync((string Name, string Value) change, string expected)
        {
            Dictionary<string, string> settings = new(emulator.Settings) { [change.Name] = change.Value };
            await Programs.SenderAsync("--count 5", emulator.Settings, cancellationToken);
            Finished run = await Programs.ConsumerAsync("--strategy=outloop --no-metrics", settings, cancellationToken);
            Assert.True(run.ExitCode == 4, $"{change.Name}: exit code {run.ExitCode}: {run.Error}");
            Assert.Contains(expected, AssertError(run), StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_container_name_that_is_not_allowed_is_a_usage_error()
    {
        Dictionary<string, string> settings = Unreachable();
        settings["STORAGE_CONTAINER"] = "No_Such/Name";
        Finished run = await Programs.ConsumerAsync("--strategy=outloop", settings, TestContext.Current.CancellationToken);
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("error: STORAGE_CONTAINER", AssertError(run), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_port_in_use_ends_with_exit_code_6()
    {
        using TcpListener taken = new(IPAddress.Loopback, 0);
        taken.Start();
        int port = ((IPEndPoint)taken.LocalEndpoint).Port;
        Finished emulator = await Programs.RunAsync("emulator", $"--servicebus-port {port}", null, TestContext.Current.CancellationToken);
        AssertOneLine(emulator, 6, $"error: --servicebus-port {port}: in use; use 0 for a free one");
        Finished consumer = await Programs.ConsumerAsync($"--strategy=outloop --metrics-port {port}", null, TestContext.Current.CancellationToken);
        Assert.Equal(6, consumer.ExitCode);
        Assert.Contains($"--metrics-port {port}", AssertError(consumer), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Bad_input_files_are_named_with_their_line()
    {
        using TemporaryFolder folder = new();
        string missing = folder.File("missing.jsonl");
        AssertOneLine(await SendAsync(missing), 2, $"error: {missing}: not found");

        string broken = folder.File("broken.jsonl");
        await File.WriteAllTextAsync(broken, "{\"a\":1}\n{\"a\":\n", TestContext.Current.CancellationToken);
        Finished run = await SendAsync(broken);
        Assert.Equal(2, run.ExitCode);
        Assert.StartsWith($"error: {broken}:2: not valid JSON", AssertError(run), StringComparison.Ordinal);

        static Task<Finished> SendAsync(string file) =>
            Programs.SenderAsync($"--input {file}", Unreachable(), TestContext.Current.CancellationToken);
    }

    private static Dictionary<string, string> Unreachable()
    {
        using TcpListener free = new(IPAddress.Loopback, 0);
        free.Start();
        int port = ((IPEndPoint)free.LocalEndpoint).Port;
        return new Dictionary<string, string>
        {
            ["EVENTHUB_CONNECTION_STRING"] = $"Endpoint=sb://127.0.0.1:{port};SharedAccessKeyName=k;SharedAccessKey=czE=;UseDevelopmentEmulator=true",
            ["EVENTHUB_NAME"] = "hub",
            ["SERVICEBUS_CONNECTION_STRING"] = $"Endpoint=sb://127.0.0.1:{port};SharedAccessKeyName=k;SharedAccessKey=czE=;UseDevelopmentEmulator=true",
            ["SERVICEBUS_QUEUE"] = "queue",
            ["STORAGE_CONNECTION_STRING"] = $"DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=czE=;BlobEndpoint=http://127.0.0.1:{port}/devstoreaccount1;",
        };
    }

    private static string AssertError(Finished run)
    {
        Assert.DoesNotContain("   at ", run.Error, StringComparison.Ordinal);
        return Assert.Single(run.Error.Split('\n'), line => line.StartsWith("error:", StringComparison.Ordinal));
    }

    private static void AssertOneLine(Finished run, int exitCode, string expected)
    {
        Assert.Equal((exitCode, expected), (run.ExitCode, run.Error.Trim()));
    }
}

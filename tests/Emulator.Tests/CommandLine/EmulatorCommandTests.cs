using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using EventHubThroughput.CommandLine;
using Xunit;

namespace EventHubThroughput.Emulator.Tests.CommandLine;

public sealed class EmulatorCommandTests : IDisposable
{
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();

    public void Dispose()
    {
        _output.Dispose();
        _error.Dispose();
    }

    [Theory]
    [InlineData("--host 0.0.0.0", "error: --host '0.0.0.0': opens the emulator to other machines, add --allow-remote to allow it")]
    [InlineData("--host 0.0.0.0 --allow-remote --allow-anonymous", "error: --allow-anonymous: not with --host '0.0.0.0', authentication is always on there")]
    [InlineData("--host localhost", "error: --host 'localhost': not an IP address, write 127.0.0.1 or ::1")]
    [InlineData("--partitions 0", "error: --partitions 0: out of range, allowed 1 to 1024")]
    [InlineData("--partitions many", "error: --partitions 'many': not a whole number, allowed 1 to 1024")]
    [InlineData(
        "--profile artikel",
        "error: --profile 'artikel': unknown, did you mean 'article'? Known: none, article, article-constant, article-spread, long-tail, stragglers, azure-standard, azure-premium, step, knee-8, knee-40, knee-150, processor, ops-200, or a file NAME.json"
    )]
    [InlineData("--hub x.servicebus.windows.net", "error: --hub 'x.servicebus.windows.net': the emulator never talks to Azure")]
    [InlineData("--hub a/b", "error: --hub 'a/b': not a name, allowed are up to 256 letters, digits, '.', '-', '_' with a letter or digit first and last")]
    [InlineData(
        "--queue a//b",
        "error: --queue 'a//b': not a name, allowed are up to 260 letters, digits, '.', '-', '_', '~' and single '/' with a letter or digit first and last"
    )]
    [InlineData("--queue a/subscriptions/b", "error: --queue 'a/subscriptions/b': not a name, 'subscriptions' has a special meaning in addresses")]
    [InlineData("--lock-duration 10", "error: --lock-duration '10': missing unit, write 10s, 500ms or 2m")]
    [InlineData("--containers abc,A!", "error: --containers 'A!': not a container name, allowed are 3 to 63 lower-case letters, digits and single '-'")]
    [InlineData("--containers abc,abc", "error: --containers 'abc': named twice")]
    [InlineData("--consumer-groups $Default,a/b", "error: --consumer-groups 'a/b': not a name of a consumer group")]
    [InlineData("--policies reader", "error: --policies 'reader': not of the form NAME=RIGHTS, allowed rights are Listen, Send, joined by '+'")]
    [InlineData("--policies a=Manage", "error: --policies 'a=Manage': not of the form NAME=RIGHTS, allowed rights are Listen, Send, joined by '+'")]
    [InlineData("--policies a_b=Send", "error: --policies 'a_b=Send': not a name of a policy, allowed are up to 50 letters, digits and '-'")]
    [InlineData(
        "--policies RootManageSharedAccessKey=Send",
        "error: --policies 'RootManageSharedAccessKey=***': the policy of the access key, which has all rights"
    )]
    [InlineData("--policies a=Send,A=Listen", "error: --policies 'A=Listen': EMULATOR_POLICY_A would belong to two policies")]
    [InlineData("--key-file missing.key", "error: --key-file missing.key: not found")]
    public async Task Bad_input_is_one_line_and_exit_code_2(string arguments, string expected)
    {
        Assert.Equal(2, await RunAsync(arguments.Split(' ')));
        Assert.Equal(expected, _error.ToString().TrimEnd());
        Assert.Empty(_output.ToString());
    }

    [Fact]
    public async Task All_problems_are_listed_together()
    {
        Assert.Equal(2, await RunAsync("--partitions", "0", "--host", "0.0.0.0", "--seeed", "1"));
        Assert.Equal(3, _error.ToString().TrimEnd().Split('\n').Length);
    }

    [Theory]
    [InlineData("--eventhubs-port")]
    [InlineData("--servicebus-port")]
    [InlineData("--blob-port")]
    [InlineData("--admin-port")]
    [InlineData("--tls-port")]
    [InlineData("--admin-tls-port")]
    public async Task A_port_in_use_is_exit_code_6(string option)
    {
        using var other = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        other.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        other.Listen();
        var port = ((IPEndPoint)other.LocalEndPoint!).Port;
        Assert.Equal(6, await RunAsync(option, $"{port}"));
        Assert.Equal($"error: {option} {port}: in use. Use 0 for a free one", _error.ToString().TrimEnd());
        Assert.Empty(_output.ToString());
    }

    [Fact]
    public async Task The_settings_are_one_json_line_and_nothing_else_is_on_standard_output()
    {
        Assert.Equal(0, await RunAsync("--exit-with-stdin", "--hub", "orders", "--queue", "work"));
        var line = Assert.Single(_output.ToString().TrimEnd().Split('\n'));
        var settings = JsonSerializer.Deserialize<Dictionary<string, string>>(line)!;
        Assert.Equal(
            [
                "EVENTHUB_CONNECTION_STRING",
                "EVENTHUB_NAME",
                "EVENTHUB_CONSUMER_GROUP",
                "SERVICEBUS_CONNECTION_STRING",
                "SERVICEBUS_ADMINISTRATION_CONNECTION_STRING",
                "SERVICEBUS_QUEUE",
                "STORAGE_CONNECTION_STRING",
                "EMULATOR_ADMIN_URL",
                "STORAGE_CONTAINER",
                "CHECKPOINT_CONTAINER",
                "DEADLETTER_CONTAINER",
            ],
            settings.Keys
        );
        Assert.Equal(("orders", "work", "archive"), (settings["EVENTHUB_NAME"], settings["SERVICEBUS_QUEUE"], settings["STORAGE_CONTAINER"]));
        Assert.Matches(
            "^Endpoint=sb://127\\.0\\.0\\.1:\\d+;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=[^;]+;UseDevelopmentEmulator=true$",
            settings["EVENTHUB_CONNECTION_STRING"]
        );
    }

    [Fact]
    public async Task The_settings_can_be_printed_for_a_shell()
    {
        Assert.Equal(0, await RunAsync("--exit-with-stdin", "--print", "env"));
        var lines = _output.ToString().TrimEnd().Split('\n');
        Assert.Equal(("{", "}"), (lines[0], lines[^1]));
        Assert.All(lines[1..^1], static line => Assert.Matches("^export [A-Z_]+='[^']*'$", line));
    }

    [Fact]
    public async Task The_settings_can_be_printed_for_PowerShell()
    {
        Assert.Equal(0, await RunAsync("--exit-with-stdin", "--print", "powershell"));
        var lines = _output.ToString().TrimEnd().Split('\n');
        Assert.Equal(("& {", "}"), (lines[0], lines[^1]));
        Assert.All(lines[1..^1], static line => Assert.Matches(@"^\$env:[A-Z_]+ = '[^']*'$", line));
    }

    [Fact]
    public async Task A_key_file_of_its_owner_gives_the_key()
    {
        var file = Path.GetTempFileName();
        try
        {
            await File.WriteAllTextAsync(file, "c2VjcmV0LWtleS1vZi10ZXN0cw==\n", TestContext.Current.CancellationToken);
            Assert.Equal(0, await RunAsync("--exit-with-stdin", "--key-file", file));
            Assert.Contains("SharedAccessKey=c2VjcmV0LWtleS1vZi10ZXN0cw==;", _output.ToString(), StringComparison.Ordinal);
            Assert.DoesNotContain("c2VjcmV0", _error.ToString(), StringComparison.Ordinal);
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Fact]
    public async Task A_key_file_that_others_can_read_is_refused()
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("file modes are a matter of Unix");
            return;
        }

        var file = Path.GetTempFileName();
        try
        {
            File.SetUnixFileMode(file, UnixFileMode.UserRead | UnixFileMode.OtherRead);
            Assert.Equal(2, await RunAsync("--key-file", file));
            Assert.Equal($"error: --key-file {file}: readable by other users, run: chmod 600 {file}", _error.ToString().TrimEnd());
        }
        finally
        {
            File.Delete(file);
        }
    }

    // Its standard input is closed from the start: with --exit-with-stdin it ends as soon as it is ready.
    private Task<int> RunAsync(params string[] arguments)
    {
        var console = new CommandConsole(_output, _error, static _ => null);
        return CommandHost.RunAsync(
            new EmulatorCommand(console, new StopRequest(() => Stream.Null, handlesSignals: false)).Root,
            arguments,
            console,
            TestContext.Current.CancellationToken
        );
    }
}

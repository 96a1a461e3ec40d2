using System.Net;
using System.Security.Cryptography.X509Certificates;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Tests.CommandLine;

public sealed class DataOptionTests : IDisposable
{
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("eht-data-");

    private string Data => Path.Combine(_folder.FullName, "data");

    private string Error => _error.ToString().TrimEnd();

    public void Dispose()
    {
        _output.Dispose();
        _error.Dispose();
        _folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Key_ports_and_entities_are_the_same_after_a_restart()
    {
        // Other tests take ports too, and may take one between the two starts. Then try again.
        for (var attempt = 0; attempt < 10; attempt++)
        {
            var data = $"{Data}{attempt}";
            _output.GetStringBuilder().Clear();
            Assert.Equal(0, await RunAsync("--data", data, "--hub", "orders", "--partitions", "8", "--queue", "work", "--containers", "pictures"));
            var first = _output.ToString();
            _output.GetStringBuilder().Clear();
            _error.GetStringBuilder().Clear();
            Assert.Equal(0, await RunAsync("--data", data));
            if (!Error.Contains("the port of the last start, is in use", StringComparison.Ordinal))
            {
                Assert.Equal(first, _output.ToString());
                Assert.Equal($"emulator ready: hub 'orders' with 8 partitions, queue 'work', profile 'none', data in {data}, no journal", Error.Split('\n')[0]);
                return;
            }
        }

        Assert.Fail("no port stayed free");
    }

    [Fact]
    public async Task The_key_is_its_owners_only()
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("file modes are a matter of Unix");
            return;
        }

        Assert.Equal(0, await RunAsync("--data", Data));
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(Path.Combine(Data, "key")));
        File.SetUnixFileMode(Path.Combine(Data, "key"), UnixFileMode.UserRead | UnixFileMode.GroupRead);
        Assert.Equal((2, $"error: --data {Data}/key: readable by other users, run: chmod 600 {Data}/key"), await FailAsync("--data", Data));
    }

    [Fact]
    public async Task The_certificate_names_the_address_that_is_listened_on()
    {
        var options = new EmulatorOptions { DataPath = Data, TlsPort = 0 };
        var first = await ServeAsync(options);
        Assert.StartsWith("Endpoint=sb://localhost:", first.Connection, StringComparison.Ordinal);
        Assert.Equal(first.Certificate, (await ServeAsync(options)).Certificate);
        var moved = await ServeAsync(options with { Host = IPAddress.Parse("127.0.0.2") });
        Assert.StartsWith("Endpoint=sb://127.0.0.2:", moved.Connection, StringComparison.Ordinal);
        using var certificate = X509Certificate2.CreateFromPem(moved.Certificate);
        Assert.True(certificate.MatchesHostname("127.0.0.2"));
    }

    [Fact]
    public async Task A_certificate_that_ends_within_a_day_is_replaced()
    {
        var clock = new VirtualClock();
        var options = new EmulatorOptions
        {
            DataPath = Data,
            TlsPort = 0,
            TimeProvider = clock,
        };
        var first = await ServeAsync(options);
        clock.Advance(TimeSpan.FromDays(28));
        Assert.Equal(first.Certificate, (await ServeAsync(options)).Certificate);
        clock.Advance(TimeSpan.FromDays(1.5));
        Assert.NotEqual(first.Certificate, (await ServeAsync(options)).Certificate);
    }

    [Fact]
    public async Task A_hub_keeps_its_partitions()
    {
        Assert.Equal(0, await RunAsync("--data", Data, "--partitions", "8"));
        Assert.Equal(
            (
                4,
                "error: hub 'hub': the data directory has it with other settings (8 partitions, requested are 4 partitions). Change the request, or delete it first"
            ),
            await FailAsync("--data", Data, "--partitions", "4")
        );
    }

    [Fact]
    public async Task A_folder_in_use_is_refused()
    {
        await using var host = await EmulatorHost.StartAsync(new EmulatorOptions { DataPath = Data }, TestContext.Current.CancellationToken);
        var (code, error) = await FailAsync("--data", Data);
        Assert.Equal(2, code);
        Assert.StartsWith($"error: --data {Data}: in use by another emulator", error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1, "older")]
    [InlineData(3, "newer")]
    public async Task A_folder_of_another_version_is_refused(int version, string what)
    {
        Directory.CreateDirectory(Data);
        var format = $$"""{"format":"eht-emulator-data","version":{{version}}}""";
        await File.WriteAllTextAsync(Path.Combine(Data, "format.json"), format, TestContext.Current.CancellationToken);
        Assert.Equal((2, $"error: --data {Data}: version {version} is {what} than this program (2)"), await FailAsync("--data", Data));
    }

    [Fact]
    public async Task A_folder_with_other_files_is_refused_and_left_alone()
    {
        Directory.CreateDirectory(Data);
        var letter = Path.Combine(Data, "letter.txt");
        await File.WriteAllTextAsync(letter, "dear", TestContext.Current.CancellationToken);
        Assert.Equal((2, $"error: --data {Data}: has other files, name an empty folder or one that an emulator made"), await FailAsync("--data", Data));
        Assert.Equal("dear", await File.ReadAllTextAsync(letter, TestContext.Current.CancellationToken));
        Assert.Equal((2, $"error: --data {letter}: is a file, name a folder"), await FailAsync("--data", letter));
    }

    [Fact]
    public async Task A_torn_log_is_repaired_with_a_warning()
    {
        Assert.Equal(0, await RunAsync("--data", Data));
        var log = Path.Combine(Data, "queues", "queue.log");
        await File.AppendAllBytesAsync(log, [9, 0, 0, 0, 1], TestContext.Current.CancellationToken);
        _error.GetStringBuilder().Clear();
        Assert.Equal(0, await RunAsync("--data", Data));
        Assert.StartsWith($"warning: {log}: 5 bytes of an unfinished record at the end were cut off", Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_damaged_log_is_refused_and_left_alone()
    {
        Assert.Equal(0, await RunAsync("--data", Data));
        var log = Path.Combine(Data, "queues", "queue.log");
        var bytes = await File.ReadAllBytesAsync(log, TestContext.Current.CancellationToken);
        bytes[12] ^= 0xff;
        await File.WriteAllBytesAsync(log, bytes, TestContext.Current.CancellationToken);
        Assert.Equal((4, $"error: {log}: record 1 at byte 8 is damaged"), await FailAsync("--data", Data));
        Assert.Equal(bytes, await File.ReadAllBytesAsync(log, TestContext.Current.CancellationToken));
    }

    [Theory]
    [InlineData("--sync sometimes", "error: --sync 'sometimes': unknown. Known: second, always, never")]
    [InlineData("--tls-port 70000", "error: --tls-port 70000: out of range, allowed 0 to 65535")]
    public async Task A_wrong_option_is_named(string arguments, string expected) => Assert.Equal((2, expected), await FailAsync(arguments.Split(' ')));

    private static async Task<(string Connection, string Certificate)> ServeAsync(EmulatorOptions options)
    {
        await using var host = await EmulatorHost.StartAsync(options, TestContext.Current.CancellationToken);
        var file = host.Settings["EMULATOR_TLS_CERTIFICATE"];
        return (host.Settings["EMULATOR_TLS_CONNECTION_STRING"], await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken));
    }

    private async Task<(int Code, string Error)> FailAsync(params string[] arguments)
    {
        _error.GetStringBuilder().Clear();
        _output.GetStringBuilder().Clear();
        var code = await RunAsync(arguments);
        Assert.Empty(_output.ToString());
        return (code, Error);
    }

    private Task<int> RunAsync(params string[] arguments)
    {
        var console = new CommandConsole(_output, _error, static _ => null);
        var command = new EmulatorCommand(console, new StopRequest(static () => Stream.Null, handlesSignals: false));
        return CommandHost.RunAsync(command.Root, [.. arguments, "--exit-with-stdin"], console, TestContext.Current.CancellationToken);
    }
}

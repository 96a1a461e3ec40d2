using EventHubThroughput.Safety.Cells;
using EventHubThroughput.Safety.Scripts;

namespace EventHubThroughput.Safety.Rows;

/// <summary>What befalls the machine and the way to the services (F26 to F37).</summary>
internal static class MachineRows
{
    private const string Durable = "--data {folder}/data";
    private const string Lost = "unreachable for";
    private const string NoKey = "SharedAccessKeyName=none;SharedAccessKey=bm9uZQ==";

    public static IReadOnlyList<FaultRow> All { get; } =
    [
        new("F26", "the emulator is stopped and back after 5 s")
        {
            Emulator = Durable,
            Script = Machine.ServiceRestartedAsync,
            Seconds = 8,
            Expected = Expected.Clean,
        },
        new("F26-kill", "the emulator is killed and back after 5 s")
        {
            Emulator = Durable,
            Script = Machine.ServiceKilledAndRestartedAsync,
            Seconds = 8,
            Expected = Expected.Clean,
        },
        new("F27", "the emulator is killed and stays away")
        {
            Emulator = Durable,
            Script = Machine.ServiceGoneAsync,
            Seconds = 6,
            Expected = new Expected(4, Lost) { Verdict = Standing.NotFailed },
            Limit = TimeSpan.FromMinutes(8),
        },
        Skewed("F28-1s", 1, "name=skew&at=storageClock&do=skew&skewSeconds=1"),
        Skewed("F28", 30, "name=F28"),
        Skewed("F28-behind", -30, "name=F28-behind"),
        Skewed("F28-121s", 121, "name=skew&at=storageClock&do=skew&skewSeconds=121"),
        Skewed("F28-far", 300, "name=F28-far"),
        new("F28-host", "the host's clock is set 300 s ahead, then 300 s back, another consumer beside it")
        {
            Script = Owners.ClockSteppedAsync,
            Seconds = 14,
            Expected = Expected.Clean,
        },
        new("F29", "the disk is full when the result is written")
        {
            // A limit of one KiB per file. Memory of the runtime that is backed by files is turned off.
            Shell = "trap '' XFSZ; ulimit -f 1",
            Environment = new Dictionary<string, string>(StringComparer.Ordinal) { ["DOTNET_EnableWriteXorExecute"] = "0" },
            Options = "--output {folder}/result-older.json",
            Script = Machine.OverAnOlderResultAsync,
            Expected = new Expected(5, "--output .*cannot be written"),
            Sampled = true,
        },
        new("F30", "the result's path is a folder")
        {
            Options = "--output {folder}",
            Script = Machine.RefusedAsync,
            Expected = new Expected(5, "--output .*is a folder"),
        },
        new("F30-missing", "the result's folder does not exist")
        {
            Options = "--output {folder}/none/result.json",
            Script = Machine.RefusedAsync,
            Expected = new Expected(5, "--output .*cannot be written"),
        },
        new("F31", "the metrics port is in use")
        {
            Options = "--metrics-port {port}",
            Script = Machine.RefusedAsync,
            Expected = new Expected(6, @"--metrics-port \d+: in use"),
            Sampled = true,
        },
        new("F32", "bad configuration, twice")
        {
            Options = "--degree 0 --batch many",
            Script = Machine.RefusedAsync,
            Expected = new Expected(2, "--degree 0: out of range, allowed 1 to 4096") { SeveralLines = true },
            Sampled = true,
        },
        new("F33", "64 blocking calls hold the thread pool for 10 s")
        {
            Environment = Stress("starve"),
            Seconds = 8,
            Expected = Expected.Clean,
        },
        new("F34", "a backlog of 10^6 events, 256 MB of heap")
        {
            Events = 1_000_000,
            Environment = new Dictionary<string, string>(StringComparer.Ordinal) { ["DOTNET_GCHeapHardLimit"] = "0x10000000" },
            Emulator = "--memory-limit 2000",
            Script = Machine.WithLittleMemoryAsync,
            Expected = Expected.Clean with { Verdict = Standing.NotFailed },
            Limit = TimeSpan.FromMinutes(6),
            OnBuiltInClients = true,
        },
        new("F35", "256 file descriptors, degree 512")
        {
            Shell = "ulimit -n 256",
            Options = "--degree 512",
            Script = Machine.RefusedAsync,
            Expected = new Expected(2, @"degree 512 needs about \d+ file descriptors, the limit is 256"),
        },
        new("F36", "the process is held for 500 ms again and again")
        {
            Script = Owners.StutteringAsync,
            Seconds = 8,
            Expected = Expected.Clean,
        },
        new("F36-emulator", "the emulator is held for 5 s")
        {
            Script = Machine.ServiceHeld(TimeSpan.FromSeconds(5), alone: true),
            Seconds = 8,
            Expected = Expected.Clean,
            Sampled = true,
        },
        new("F36-both", "emulator and consumer are held for 5 s")
        {
            Script = Machine.ServiceHeld(TimeSpan.FromSeconds(5), alone: false),
            Seconds = 8,
            Expected = Expected.Clean,
        },
        new("F37", "connections are served at 64 bytes a second")
        {
            Faults = ["name=F37"],
            Expected = new Expected(4, "127.0.0.1"),

            // The packages wait with each try for minutes, so the watch for progress ends the process first.
            OnOfficialClients = new Expected(9, "without progress"),
            Limit = TimeSpan.FromMinutes(12),
        },
        Elsewhere("F37-name", "the name cannot be resolved", "no-such-host.invalid", "no-such-host.invalid"),
        Elsewhere("F37-expired", "the certificate is expired and for another name", "127.0.0.1:{tls}", "127.0.0.1.*certificate"),
        Elsewhere("F37-silent", "TLS is never answered", "127.0.0.1:{silent}", "127.0.0.1"),
    ];

    private static FaultRow Skewed(string id, int seconds, string fault) =>
        new(id, $"the storage clock is {seconds} s off")
        {
            // Ten seconds of balancing are enough for an ownership to look expired that is not.
            Faults = [fault],
            Seconds = 6,
            Expected = Expected.Clean,
            Also = Checks.Warns("clock"),
        };

    private static FaultRow Elsewhere(string id, string injected, string host, string error) =>
        new(id, injected)
        {
            Environment = new Dictionary<string, string>(StringComparer.Ordinal) { ["EVENTHUB_CONNECTION_STRING"] = $"Endpoint=sb://{host};{NoKey}" },
            Expected = new Expected(4, error),
            Limit = TimeSpan.FromMinutes(8),
        };

    private static Dictionary<string, string> Stress(string how) =>
        new(StringComparer.Ordinal) { ["DOTNET_STARTUP_HOOKS"] = typeof(MachineRows).Assembly.Location, ["EHT_STRESS"] = how };
}

using EventHubThroughput.Processes;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Interop;

/// <summary>
/// RabbitMQ with its AMQP 1.0 plugin, for all tests of a class: processes of this user on free ports of 127.0.0.1, with all they keep in a folder
/// that is removed at the end. It is started by the first test that asks for its port, so that the others can say why it is missing.
/// </summary>
public sealed class RabbitBroker : IAsyncDisposable
{
    private const string Server = "/usr/lib/rabbitmq/bin/rabbitmq-server";

    private static readonly TimeSpan StartLimit = TimeSpan.FromSeconds(90);
    private static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(20);

    private readonly SemaphoreSlim starting = new(1);
    private int port;

    // What was started so far, in this order.
    private string? folder;
    private RunningProcess? names;
    private RunningProcess? broker;
    private Task? rest;

    /// <summary>Its port. Starts it at the first request. Skips the test, or fails it in CI, when it is not installed.</summary>
    public async Task<int> PortAsync(CancellationToken cancellationToken)
    {
        var epmd = Peers.FindProgram("epmd");
        Peers.Require(File.Exists(Server) && epmd is not null, "rabbitmq-server is not installed; run 'apt-get install rabbitmq-server' on Debian");
        await starting.WaitAsync(cancellationToken);
        try
        {
            if (port == 0)
            {
                port = await StartAsync(epmd!, cancellationToken);
            }

            return port;
        }
        finally
        {
            starting.Release();
        }
    }

    /// <summary>Ends it and removes what it has kept.</summary>
    public async ValueTask DisposeAsync()
    {
        if (broker is not null)
        {
            // Not by force immediately: it would leave the helpers that it has started.
            await broker.SignalAsync("TERM");
            await broker.StopAsync(StopLimit);
            await (rest ?? Task.CompletedTask);
            await broker.DisposeAsync();
        }

        if (names is not null)
        {
            await names.DisposeAsync();
        }

        if (folder is not null)
        {
            Directory.Delete(folder, recursive: true);
        }

        starting.Dispose();
    }

    private async Task<int> StartAsync(string epmd, CancellationToken cancellationToken)
    {
        folder ??= Directory.CreateTempSubdirectory("rabbitmq").FullName;
        int[] ports = [FreePort.Next(), FreePort.Next(), FreePort.Next()];

        // Erlang's directory of nodes. An existing one is used, and no other is left over as a daemon.
        names = RunningProcess.Start(new ProcessCommand(epmd, "-address", "127.0.0.1", "-port", $"{ports[0]}"));
        await File.WriteAllTextAsync(Path.Combine(folder, "enabled_plugins"), "[rabbitmq_amqp1_0].\n", cancellationToken);
        await File.WriteAllLinesAsync(
            Path.Combine(folder, "rabbitmq.conf"),
            [
                $"listeners.tcp.default = 127.0.0.1:{ports[1]}",
                "distribution.listener.interface = 127.0.0.1",
                "amqp1_0.default_user = guest",
                "log.file = false",
                "log.console = true",
                "log.console.level = warning",
            ],
            cancellationToken
        );
        broker = RunningProcess.Start(
            new ProcessCommand(Server)
            {
                Folder = folder,
                IsReadByLine = true,
                IsWithheld = static name => name.StartsWith("RABBITMQ_", StringComparison.Ordinal),
                Variables = new Dictionary<string, string>
                {
                    ["HOME"] = folder,
                    ["RABBITMQ_CONFIG_FILE"] = Path.Combine(folder, "rabbitmq"),
                    ["RABBITMQ_CONF_ENV_FILE"] = Path.Combine(folder, "none"),
                    ["RABBITMQ_ENABLED_PLUGINS_FILE"] = Path.Combine(folder, "enabled_plugins"),
                    ["RABBITMQ_MNESIA_BASE"] = Path.Combine(folder, "data"),
                    ["RABBITMQ_LOG_BASE"] = Path.Combine(folder, "log"),
                    ["RABBITMQ_PID_FILE"] = Path.Combine(folder, "pid"),
                    ["RABBITMQ_NODENAME"] = $"interop-{ports[1]}@localhost",
                    ["RABBITMQ_DIST_PORT"] = $"{ports[2]}",
                    ["ERL_EPMD_ADDRESS"] = "127.0.0.1",
                    ["ERL_EPMD_PORT"] = $"{ports[0]}",
                },
            }
        );
        await StartedAsync(broker, cancellationToken).WaitAsync(StartLimit, TimeProvider.System, cancellationToken);
        return ports[1];
    }

    private async Task StartedAsync(RunningProcess process, CancellationToken cancellationToken)
    {
        List<string> words = [];
        while (await process.ReadLineAsync(cancellationToken) is { } line)
        {
            if (line.Contains("completed with 1 plugins", StringComparison.Ordinal))
            {
                // Read to the end, so that the process never waits for us.
                rest = process.DiscardOutputAsync(CancellationToken.None);
                return;
            }

            words.Add(line);
        }

        throw new InvalidOperationException($"RabbitMQ ended: {string.Join('\n', words.Concat(await process.AllErrorsAsync()))}");
    }
}

using System.Net;
using EventHubThroughput.Emulator;
using EventHubThroughput.Emulator.Entities;

namespace EventHubThroughput.Interop;

/// <summary>Runs Python scripts against separate emulators. Debian's packages belong to Debian's Python, at any other search path.</summary>
internal static class PythonScript
{
    // The only port that an SDK without UseDevelopmentEmulator supports.
    private const int TlsPort = 5671;
    private const string Interpreter = "/usr/bin/python3";
    private const string Modules = "/usr/lib/python3/dist-packages";

    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(4);
    private static readonly string Folder = Path.Combine(Peers.RootFolder, "tests", "Interop", "python");

    /// <summary>Debian's Python. Does not return when it or a package is absent.</summary>
    /// <param name="package">Debian's name, such as <c>python3-azure</c>.</param>
    /// <param name="module">The folder that the package brings, such as <c>azure/eventhub</c>.</param>
    public static string Require(string package, string module)
    {
        Peers.Require(
            File.Exists(Interpreter) && Directory.Exists(Path.Combine(Modules, module)),
            $"{package} is not installed; run 'apt-get install {package}' on Debian"
        );
        return Interpreter;
    }

    /// <summary>A script that needs the official SDK. Does not return when that is absent.</summary>
    public static PeerScript OfSdk(string script) => new(Require("python3-azure", "azure/eventhub"), Path.Combine(Folder, script));

    /// <summary>Runs flows of the official SDK, over TLS where its version needs that.</summary>
    public static async Task<FlowReport> RunSdkAsync(string script, EntitySet entities, CancellationToken cancellationToken)
    {
        var python = Require("python3-azure", "azure/eventhub");
        await using var emulator = await StartWithTlsAsync(entities, cancellationToken);
        return await RunAsync(python, script, emulator, cancellationToken);
    }

    /// <summary>Runs a script of flows to its end and reads its reports on them.</summary>
    public static async Task<FlowReport> RunAsync(string python, string script, EmulatorHost emulator, CancellationToken cancellationToken)
    {
        var result = await new PeerScript(python, Path.Combine(Folder, script)).RunAsync(emulator.Settings, Limit, cancellationToken);
        return FlowReport.Read(result.Output, result.Error);
    }

    /// <summary>An emulator with TLS on the port that all SDKs use. It has a separate address, so that any number can have that port.</summary>
    public static Task<EmulatorHost> StartWithTlsAsync(EntitySet entities, CancellationToken cancellationToken)
    {
        var random = Guid.NewGuid().ToByteArray();
        var address = new IPAddress([127, (byte)(1 + (random[0] % 254)), random[1], (byte)(1 + (random[2] % 254))]);
        return EmulatorHost.StartAsync(
            new EmulatorOptions
            {
                Entities = entities,
                Host = address,
                TlsPort = TlsPort,
            },
            cancellationToken
        );
    }
}

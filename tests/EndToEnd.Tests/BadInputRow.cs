using System.Text;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>
/// One row of the table of bad input: the input of a program and all its output. In texts <c>{dir}</c> is the test's folder. A line of the expected
/// error that ends with <c>*</c> is the beginning of a line that lists the alternatives.
/// </summary>
/// <param name="Name">The mistake. It is unique.</param>
/// <param name="Program">The executable.</param>
/// <param name="Arguments">Its command line.</param>
/// <param name="Expected">Every line of standard error.</param>
internal sealed record BadInputRow(string Name, string Program, string Arguments, string Expected)
{
    /// <summary>In every slot of a secret. It must never be seen again.</summary>
    public const string Canary = "Q0FOQVJZLUNBTkFSWQ==";

    private const string Messaging = $"Endpoint=sb://127.0.0.1:9;SharedAccessKeyName=k;SharedAccessKey={Canary};UseDevelopmentEmulator=true";

    /// <summary>Good settings of services that are not reachable: a row that connects has failed already.</summary>
    private static readonly Dictionary<string, string> Unreachable = new(StringComparer.Ordinal)
    {
        ["EVENTHUB_CONNECTION_STRING"] = Messaging,
        ["EVENTHUB_NAME"] = "hub",
        ["SERVICEBUS_CONNECTION_STRING"] = Messaging,
        ["SERVICEBUS_QUEUE"] = "queue",
        ["STORAGE_CONNECTION_STRING"] =
            $"DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey={Canary};BlobEndpoint=http://127.0.0.1:9/devstoreaccount1;",
    };

    public int ExitCode { get; init; } = 2;

    /// <summary>Changes of good settings, where null removes one. Without any, no setting is made.</summary>
    public IReadOnlyDictionary<string, string?>? Settings { get; init; }

    /// <summary>
    /// Files in the test's folder, where each character is one byte. A name that ends with a slash is a folder. One that ends with a bar is a pipe of
    /// the name before it, without a writer.
    /// </summary>
    public IReadOnlyDictionary<string, string> Files { get; init; } = new Dictionary<string, string>();

    /// <summary>Good settings with changes, null takes one away.</summary>
    public static Dictionary<string, string?> Changed(params (string Name, string? Value)[] changes) =>
        changes.ToDictionary(static change => change.Name, static change => change.Value, StringComparer.Ordinal);

    /// <summary>One file.</summary>
    public static Dictionary<string, string> Named(string name, string content) => new(StringComparer.Ordinal) { [name] = content };

    public Dictionary<string, string> Environment() =>
        Settings is null
            ? []
            : Unreachable
                .Keys.Union(Settings.Keys, StringComparer.Ordinal)
                .Select(name => (Name: name, Value: Settings.TryGetValue(name, out var changed) ? changed : Unreachable[name]))
                .Where(static setting => setting.Value is not null)
                .ToDictionary(static setting => setting.Name, static setting => setting.Value!, StringComparer.Ordinal);

    public void WriteFiles(TemporaryFolder folder)
    {
        foreach ((var name, var content) in Files)
        {
            if (name.EndsWith('/'))
            {
                Directory.CreateDirectory(folder.File(name));
                continue;
            }

            if (name.EndsWith('|'))
            {
                using var made = System.Diagnostics.Process.Start("mkfifo", [folder.File(name[..^1])]);
                made.WaitForExit();
                continue;
            }

            File.WriteAllBytes(folder.File(name), Encoding.Latin1.GetBytes(content));
            if (!OperatingSystem.IsWindows())
            {
                File.SetUnixFileMode(folder.File(name), (UnixFileMode)Convert.ToInt32("644", 8));
            }
        }
    }
}

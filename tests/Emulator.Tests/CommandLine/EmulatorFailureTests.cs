using EventHubThroughput.CommandLine;
using EventHubThroughput.Settings;
using Xunit;

namespace EventHubThroughput.Emulator.Tests.CommandLine;

/// <summary>The emulator's errors in the terms of its command line. docs/emulator.md lists the exit codes.</summary>
public sealed class EmulatorFailureTests
{
    [Fact]
    public void Each_setting_is_a_property_of_the_options_and_an_option_of_the_program()
    {
        var command = new EmulatorCommand(CommandConsole.OfProcess, StopRequest.OfProcess).Root;

        Assert.All(
            Enum.GetValues<EmulatorSetting>(),
            setting =>
            {
                Assert.NotNull(typeof(EmulatorOptions).GetProperty(setting.ToString()));
                Assert.Contains(command.Options, option => option.Name == EmulatorFailure.GetOption(setting));
            }
        );
    }

    [Fact]
    public void Each_kind_of_error_except_wrong_use_has_its_exit_code() =>
        Assert.Equal(
            [4, 5, 6],
            [
                .. Enum.GetValues<EmulatorErrorKind>()
                    .Except([EmulatorErrorKind.InvalidInput])
                    .Select(static kind => ExitCode.Of(Assert.IsType<FailureException>(EmulatorFailure.Of(new EmulatorException(kind, "p"))).Cause)),
            ]
        );

    [Fact]
    public void Each_problem_of_wrong_input_has_a_line()
    {
        var failure = new EmulatorException(EmulatorErrorKind.InvalidInput, ["ports.json:1: a", "ports.json:2: b"]);

        Assert.Equal(["ports.json:1: a", "ports.json:2: b"], Assert.IsType<UsageException>(EmulatorFailure.Of(failure)).Problems);
    }

    [Fact]
    public void A_line_names_the_options_and_the_value()
    {
        var one = new EmulatorException(EmulatorErrorKind.PortInUse, EmulatorSetting.BlobPort, "10000", "in use");
        var two = new EmulatorException(EmulatorErrorKind.NotWritable, "the certificate cannot be written")
        {
            Settings = [EmulatorSetting.TlsPort, EmulatorSetting.AdminTlsPort],
        };

        Assert.Equal("--blob-port 10000: in use", EmulatorFailure.Of(one).Message);
        Assert.Equal("--tls-port, --admin-tls-port: the certificate cannot be written", EmulatorFailure.Of(two).Message);
        Assert.Equal("BlobPort 10000: in use", one.Message);
    }
}
